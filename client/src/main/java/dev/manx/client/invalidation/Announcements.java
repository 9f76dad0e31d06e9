/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.invalidation;

import dev.manx.client.invalidation.InvalidationMessage.Kind;
import dev.manx.client.log.SparseLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Sends this server's invalidations to the others. Numbers them, so that receivers notice a missing
 * one, and bounds the number of messages that the channel has not yet accepted. Thread-safe.
 */
final class Announcements {
  /** Maximum number of messages not yet accepted by the channel; further ones are not sent. */
  static final int MOST_UNDER_WAY = 1_024;

  private final InvalidationChannel channel;
  private final long self;
  private final SparseLog log = new SparseLog(Invalidations.class);
  private final SparseLog keyLog = new SparseLog(Invalidations.class);

  // Guarded by this.
  private int underWay;
  private long number;
  private long sent;
  private long notSent;
  private long coarse;

  /**
   * @param self a number unique to this server
   */
  Announcements(InvalidationChannel channel, long self) {
    this.channel = channel;
    this.self = self;
  }

  /** Makes the others remove keys; empty: all. Fails if the channel did not accept the message. */
  CompletableFuture<Void> forget(String backend, List<String> keys) {
    if (keys.stream().anyMatch(key -> key.length() > InvalidationMessage.LONGEST_KEY)) {
      return sendCoarse(backend);
    }
    if (keys.isEmpty()) {
      return send(Kind.ALL, backend, keys);
    }
    List<CompletableFuture<Void>> parts = new ArrayList<>();
    int from = 0;
    int bytes = 0;
    for (int i = 0; i < keys.size(); i++) {
      int more = InvalidationMessage.bytes(keys.get(i));
      if (i - from == InvalidationMessage.MOST_KEYS
          || bytes + more > InvalidationMessage.MOST_KEY_BYTES) {
        parts.add(send(Kind.KEYS, backend, keys.subList(from, i)));
        from = i;
        bytes = 0;
      }
      bytes += more;
    }
    parts.add(send(Kind.KEYS, backend, keys.subList(from, keys.size())));
    return parts.size() == 1
        ? parts.get(0)
        : CompletableFuture.allOf(parts.toArray(CompletableFuture<?>[]::new));
  }

  /** Makes the others remove all keys, because an invalidated key has no text. */
  CompletableFuture<Void> forgetUnwritten(String backend, Throwable why) {
    keyLog.warn(
        "a key of backend " + backend + " has no text, so the other servers remove all its keys",
        why);
    return sendCoarse(backend);
  }

  /** Makes the others remove all keys in place of single ones. */
  CompletableFuture<Void> sendCoarse(String backend) {
    synchronized (this) {
      coarse++;
    }
    return send(Kind.ALL, backend, List.of());
  }

  /** Sends one message. */
  CompletableFuture<Void> send(Kind kind, String backend, List<String> keys) {
    CompletableFuture<Void> taken;
    boolean first;
    synchronized (this) {
      first = sent + notSent + underWay == 0;
      // Numbered and handed over under one lock, so that numbers arrive in order.
      number += kind == Kind.KEYS || kind == Kind.ALL ? 1 : 0;
      if (++underWay > MOST_UNDER_WAY) {
        taken = CompletableFuture.failedFuture(new IOException("too many messages in progress"));
      } else {
        try {
          taken =
              channel
                  .publish(new InvalidationMessage(kind, self, number, backend, keys).encode())
                  .toCompletableFuture();
        } catch (Throwable e) {
          // Includes an Error: otherwise the message would count as in progress for ever.
          taken = CompletableFuture.failedFuture(e);
        }
      }
    }
    return taken.whenComplete((done, failure) -> note(kind, first, failure));
  }

  private void note(Kind kind, boolean first, Throwable failure) {
    synchronized (this) {
      underWay--;
      sent += failure == null ? 1 : 0;
      notSent += failure == null ? 0 : 1;
    }
    // The channel is usually still connecting when the first beat is sent; if it stays down, the
    // failure of the next beat is logged.
    boolean expected = kind == Kind.FAREWELL || (kind == Kind.BEAT && first);
    if (failure != null && !expected) {
      log.warn("an invalidation did not reach the other servers; they will notice", failure);
    }
  }

  /** Number of messages that the channel accepted. */
  synchronized long sent() {
    return sent;
  }

  /** Number of messages that it did not accept. */
  synchronized long notSent() {
    return notSent;
  }

  /** Number of invalidations of single keys that were sent as invalidations of all keys. */
  synchronized long coarse() {
    return coarse;
  }
}
