/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.invalidation;

import dev.manx.client.invalidation.InvalidationMessage.Kind;
import dev.manx.client.log.SparseLog;
import dev.manx.client.timer.Timer;
import dev.manx.policy.NanoClock;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Sends invalidations to the other servers of an application, and applies theirs. If messages may
 * have been missed, the shared backends are emptied. Thread-safe.
 */
public final class Invalidations implements AutoCloseable {
  /* Each server numbers its invalidations and repeats its last number every second, so a server
   * that missed one notices with the next message or within a second. While a server's own beats
   * do not come back, all cached values are suspect: they are removed at once, every five seconds
   * while the failure lasts, and once more when beats return. So no value outlives its invalidation
   * by more than some five seconds. A server that falls silent without a farewell may have been cut
   * off during an invalidation: everything is removed once, and again when it returns with other
   * numbers. Each server adds a random delay before that. So the backends receive the misses of all
   * servers one after the other, and a server that was merely paused returns before most servers
   * have removed anything. Of a server with a newer format only the numbers can be read: when they
   * have grown, everything is removed, at most every five seconds, however much it invalidates. */
  static final long BEAT_NANOS = TimeUnit.SECONDS.toNanos(1);
  static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Maximum number of tracked servers; beyond it, the one silent for longest is dropped. */
  static final int MOST_PEERS = Peers.MOST;

  /** The backends' side: removes keys here, without notifying other servers. Does not throw. */
  public interface Target {
    /** Removes keys, given as text. */
    void forget(List<String> keys);

    /** Removes all keys. */
    void forgetAll();
  }

  private final InvalidationChannel channel;
  private final Announcements announcements;
  private final Beats beats;
  private final NanoClock clock;
  private final long self;
  private final CompletableFuture<Void> left = new CompletableFuture<>();
  private final SparseLog log = new SparseLog(Invalidations.class);
  private final SparseLog formatLog = new SparseLog(Invalidations.class);

  // Guarded by this.
  private final Map<String, Target> targets = new HashMap<>();
  private final Peers peers;
  private final OwnBeats own;
  private long forgotNanos;
  private long received;
  private long gaps;
  private long breaks;
  private long forgotten;
  private long unread;
  // Formats of messages that could not be decoded.
  private final Set<Byte> formats = new HashSet<>();
  // The reason to remove everything soon; null: none.
  private String owed;
  private boolean closed;

  /**
   * Creates the object, not yet connected.
   *
   * @param timer for beats only: other tasks on it could make this server appear silent
   * @param self a number unique to this server
   */
  public Invalidations(InvalidationChannel channel, Timer timer, NanoClock clock, long self) {
    this.channel = channel;
    announcements = new Announcements(channel, self);
    beats = new Beats(timer, BEAT_NANOS, this::beat, this::isClosed);
    this.clock = clock;
    this.self = self;
    forgotNanos = clock.nanoTime();
    own = new OwnBeats(forgotNanos);
    peers = new Peers(new SplittableRandom(self));
  }

  /** Opens the channel and begins to send beats. */
  public void start() {
    channel.open(
        new InvalidationChannel.Listener() {
          @Override
          public void received(byte[] message) {
            Invalidations.this.received(message);
          }

          @Override
          public void broken(String why) {
            lost(why);
          }
        });
    beats.start();
  }

  /** Begins to share a backend's keys. */
  public synchronized void add(String backend, Target target) {
    targets.put(backend, target);
  }

  /** Stops sharing a backend's keys. */
  public synchronized void remove(String backend) {
    targets.remove(backend);
  }

  /**
   * Makes the others remove keys.
   *
   * @param keys as text; empty for all keys
   * @return completes exceptionally if the channel did not accept the message: the others then
   *     remove everything as soon as they receive another message from this server
   */
  public CompletableFuture<Void> announce(String backend, List<String> keys) {
    return announcements.forget(backend, keys);
  }

  /**
   * Makes the others remove all keys, because an invalidated key has no text.
   *
   * @param why the reason; null: logged before
   * @return as {@link #announce}
   */
  public CompletableFuture<Void> announceUnwritten(String backend, Throwable why) {
    return announcements.forgetUnwritten(backend, why);
  }

  /**
   * Makes the others remove all keys, because the keys of the backend have no text.
   *
   * @return as {@link #announce}
   */
  public CompletableFuture<Void> announceCoarse(String backend) {
    return announcements.sendCoarse(backend);
  }

  /** Sends a beat and checks which servers are silent. */
  void beat() {
    String why = null;
    boolean renews;
    boolean silence;
    synchronized (this) {
      if (closed) {
        return;
      }
      long now = clock.nanoTime();
      if (own.forgivesPause(now)) {
        peers.forgive(OwnBeats.GRACE_NANOS, now);
      }
      silence = own.areMissing(now);
      int silent = peers.giveUp(now);
      renews = own.mustConnectAnew(now, silent, peers.size());
      boolean due = own.areConnected() || now - forgotNanos >= SILENT_NANOS;
      if (due && silence) {
        breaks += own.lost() ? 1 : 0;
        why = "no connection to the other servers";
      }
      if (silent > 0) {
        gaps += silent;
        why = silent == 1 ? "a server fell silent" : silent + " servers fell silent";
      }
      if (why == null && now - forgotNanos >= SILENT_NANOS) {
        why = owed;
      }
    }
    if (renews && silence) {
      channel.renew();
    } else if (renews) {
      channel.replace();
    }
    if (why != null) {
      forgetAll(why);
    }
    CompletableFuture<Void> unused = announcements.send(Kind.BEAT, "", List.of());
  }

  private void lost(String why) {
    synchronized (this) {
      if (closed) {
        return;
      }
      breaks += own.lost() ? 1 : 0;
    }
    forgetAll(why);
  }

  private void received(byte[] bytes) {
    Optional<InvalidationMessage.Head> newer = InvalidationMessage.Head.newer(bytes);
    if (newer.isPresent()) {
      receivedNewer(newer.get());
      return;
    }
    InvalidationMessage message;
    try {
      message = InvalidationMessage.decode(bytes);
    } catch (IOException e) {
      notUnderstood(bytes.length == 0 ? 0 : bytes[0], e);
      return;
    }
    Target target = null;
    String why = null;
    boolean begins = false;
    synchronized (this) {
      if (closed) {
        return;
      }
      long now = clock.nanoTime();
      if (message.sender() == self) {
        why = own.areConnected() ? null : "connected to the other servers";
        begins = own.returned(now);
      } else if (message.kind() == Kind.FAREWELL) {
        if (message.number() > 0 || peers.knows(message.sender())) {
          // The sender's last number reveals a missed invalidation that later messages will not
          // report. If the sender is unknown here, for example a short job, all its invalidations
          // may have been missed.
          why = peers.follow(message, false, now);
          peers.remove(message.sender());
        }
      } else {
        boolean invalidates = message.kind() != Kind.BEAT;
        why = peers.follow(message, invalidates, now);
        target = invalidates ? targets.get(message.backend()) : null;
        received += invalidates ? 1 : 0;
      }
    }
    if (begins) {
      // Before this, invalidations of others did not arrive. That is expected and needs no warning.
      forgetAll();
    } else if (why != null) {
      forgetAll(why);
    } else if (target != null) {
      carryOut(message, target);
    }
  }

  /** Follows a server whose invalidations cannot be decoded, but whose numbers can. */
  private synchronized void receivedNewer(InvalidationMessage.Head head) {
    if (closed) {
      return;
    }
    unread++;
    if (formats.add(head.format())) {
      formatLog.warn(
          "a server sends messages of format "
              + head.format()
              + ", which is newer: each of its invalidations empties the shared backends here",
          null);
    }
    if (peers.advanced(head.sender(), head.number(), clock.nanoTime())) {
      owed = "a server with a newer message format has invalidated keys";
    }
    if (head.farewell()) {
      peers.remove(head.sender());
    }
  }

  /**
   * Records a message that cannot be decoded. Other losses cannot go unnoticed: servers of this
   * format number their messages.
   */
  private void notUnderstood(byte format, IOException why) {
    boolean first;
    synchronized (this) {
      unread++;
      first = formats.add(format) && !closed;
    }
    if (first) {
      forgetAll("an undecodable message: " + why.getMessage());
    }
  }

  private static void carryOut(InvalidationMessage message, Target target) {
    if (message.kind() == Kind.ALL) {
      target.forgetAll();
    } else {
      target.forget(message.keys());
    }
  }

  private void forgetAll(String why) {
    log.warn("shared backends are emptied, because invalidations may be missing: " + why, null);
    forgetAll();
  }

  private void forgetAll() {
    List<Target> all;
    synchronized (this) {
      forgotten++;
      owed = null;
      forgotNanos = clock.nanoTime();
      all = List.copyOf(targets.values());
    }
    all.forEach(Target::forgetAll);
  }

  /** A snapshot of the counters. */
  public InvalidationStats stats() {
    // Before the lock: a channel may deliver a message while it accepts one.
    long sent = announcements.sent();
    long notSent = announcements.notSent();
    long coarse = announcements.coarse();
    synchronized (this) {
      return new InvalidationStats(
          sent,
          notSent,
          received,
          gaps + peers.gaps(),
          breaks,
          forgotten,
          coarse,
          unread,
          peers.size(),
          own.areConnected());
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  /**
   * Completes once the channel has accepted or rejected the farewell of a closed object, or a
   * second from now.
   */
  public CompletableFuture<Void> left() {
    return left.copy().completeOnTimeout(null, BEAT_NANOS, TimeUnit.NANOSECONDS);
  }

  /** Begins to send a farewell, and then closes the channel. Idempotent. */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    CompletableFuture<Void> unused =
        announcements
            .send(Kind.FAREWELL, "", List.of())
            .whenComplete(
                (done, failure) -> {
                  try {
                    channel.close();
                  } finally {
                    left.complete(null);
                  }
                });
  }
}
