/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.tied;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.copy.AbortedRead;
import dev.manx.cassandra.copy.Callbacks;
import dev.manx.cassandra.copy.CopyTimer;
import dev.manx.cassandra.wire.CustomMap;
import dev.manx.policy.NanoClock;
import dev.manx.policy.fanout.Tombstones;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.ParamType;

/**
 * The copies that other replicas have passed on to this node. A copy that starts notifies the first
 * replica and answers the coordinator; one that is recalled before does not run. Any thread.
 */
final class CopiesHere {
  /** Most copies that can be recalled while they wait; further ones run even if recalled. */
  static final int MOST = CopyTimer.MOST;

  private static final int TOMBSTONES = 4_096;
  private static final long TOMBSTONE_NANOS = TimeUnit.SECONDS.toNanos(5);

  // The copy that the calling thread serves; Cassandra answers on the same thread.
  private static final ThreadLocal<Served> SERVED = new ThreadLocal<>();

  private final NanoClock clock;
  private final Consumer<Message<?>> reads;
  private final Predicate<Message<?>> owns;
  private final ConcurrentHashMap<CopyRead.Key, CopyRead> waiting = new ConcurrentHashMap<>();
  // Recalls that found no copy; behind its own lock.
  private final Tombstones tombstones = new Tombstones(TOMBSTONES, TOMBSTONE_NANOS);

  /**
   * A copy that is served.
   *
   * @param copy as passed on by its first replica
   * @param asked as its coordinator would have sent it
   */
  private record Served(Message<?> copy, Message<?> asked) {}

  /**
   * @param reads serves a read and answers the sender in its message
   * @param owns whether this node is a replica of a read's partition
   */
  CopiesHere(NanoClock clock, Consumer<Message<?>> reads, Predicate<Message<?>> owns) {
    this.clock = clock;
    this.reads = reads;
    this.owns = owns;
  }

  int size() {
    return waiting.size();
  }

  /** Records that a copy waits for its turn. */
  void queued(CopyRead read) {
    if (waiting.size() >= MOST) {
      return;
    }
    waiting.put(read.key, read);
    // An earlier recall has left a tombstone; a later one finds the copy.
    if (isRecalled(read.key)) {
      recalled(read);
    }
    if (!read.claim.isWaiting()) {
      leaves(read);
    }
  }

  /** Records that a copy no longer waits. */
  void leaves(CopyRead read) {
    waiting.remove(read.key, read);
  }

  /** Records that the first replica has started a read: its copy need not run here. */
  void recall(InetAddressAndPort first, long copyId) {
    CopyRead.Key key = new CopyRead.Key(first, copyId);
    CopyRead read = waiting.get(key);
    if (read == null) {
      synchronized (tombstones) {
        tombstones.cancelled(mixed(key), clock.nanoTime());
      }
      read = waiting.get(key);
    }
    if (read != null) {
      recalled(read);
    }
  }

  private void recalled(CopyRead read) {
    if (read.cede()) {
      read.engine.counters().count(Counter.COPIES_CANCELLED);
      leaves(read);
    }
  }

  private boolean isRecalled(CopyRead.Key key) {
    synchronized (tombstones) {
      return tombstones.drops(mixed(key), clock.nanoTime());
    }
  }

  // Two keys that share a slot cost at most a copy, and the first replica then serves the read.
  private static long mixed(CopyRead.Key key) {
    return key.id() ^ ((long) key.first().hashCode() << 32);
  }

  /**
   * Serves a copy whose turn has come, as if its coordinator had sent it: the coordinator gets the
   * answer. The first replica gets a failure, and may still serve the read. It also serves a read
   * whose partition has moved away from this node, of which Cassandra reads old data or nothing.
   *
   * @param answerable whether a node may be answered
   * @return false if stock must serve the message, which then answers the first replica; that one
   *     drops the answer
   */
  boolean serve(
      Engine engine,
      Notices notices,
      Predicate<InetAddressAndPort> answerable,
      Message<?> message) {
    byte[] bytes = CustomMap.copied(message.header);
    TieForm.Copied copied = bytes == null ? null : TieForm.copied(bytes);
    if (copied == null || !answerable.test(copied.coordinator())) {
      return false;
    }
    if (isRecalled(new CopyRead.Key(message.from(), message.id()))) {
      engine.counters().count(Counter.COPIES_CANCELLED);
      return true;
    }
    if (!owns.test(message)) {
      return false;
    }
    Message<?> asked = asked(message, copied);
    engine.counters().count(Counter.COPIES_STARTED);
    try {
      notices.started(engine, message.from(), message.id());
    } catch (Throwable t) {
      // Both run, as if the notice were lost.
      engine.guard().fault("the notice of a copy", t);
    }
    Served outer = SERVED.get();
    SERVED.set(new Served(message, asked));
    try {
      reads.accept(asked);
    } finally {
      SERVED.set(outer);
    }
    return true;
  }

  /**
   * Handles the answer of an aborted read: if the calling thread serves it as a copy, its first
   * replica gets a failure, as if the copy had thrown an exception.
   *
   * @return false if the answer is not that of such a copy
   */
  boolean aborted(Callbacks known, Message<?> answer, InetAddressAndPort to) {
    Served served = SERVED.get();
    if (served == null || served.asked.id() != answer.id() || !served.asked.from().equals(to)) {
      return false;
    }
    Message<?> copy = served.copy;
    known.send(copy.failureResponse(AbortedRead.reason(answer)), copy.from());
    return true;
  }

  /** The read as the coordinator would have sent it. */
  private static Message<?> asked(Message<?> message, TieForm.Copied copied) {
    return Message.builder(message)
        .from(copied.coordinator())
        .withId(copied.id())
        .withoutParam(ParamType.CUSTOM_MAP)
        .build();
  }

  /** Forgets copies too old to run. */
  void sweep(long nowNanos) {
    waiting.values().removeIf(read -> nowNanos - read.expiresNanos >= 0);
  }
}
