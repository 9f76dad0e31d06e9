/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.tied;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.copy.Callbacks;
import dev.manx.cassandra.copy.CopyTimer;
import dev.manx.cassandra.copy.SecondCopy;
import dev.manx.cassandra.wire.CustomMap;
import dev.manx.policy.NanoClock;
import dev.manx.policy.fanout.CopyBudget;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.utils.FBUtilities;

/**
 * The reads that wait at this node and may be passed on: each goes to its peer once, after waiting
 * for its stagger, while the budget lasts. If the copy starts first, the read does not run here; if
 * the read does, the copy is recalled. Any thread.
 */
/*
 * Between the two replicas a copy has an id of the first one's. A stock peer, or one that is off,
 * answers the first replica under that id, for which Cassandra has no callback: the answer is
 * dropped and counts as a wasted copy. A failure arrives the same way, and the read is then run
 * here after all, also if its turn was skipped: a copy that fails has usually begun shortly before.
 */
final class PassedOn {
  /** Most passed-on reads whose copies may still start; further reads wait here. */
  static final int MOST = 65_536;

  /** Most skipped reads of other coordinators that are kept whole; a power of two. */
  static final int MOST_SKIPPED = 512;

  private final Supplier<Engine> engines;
  private final NanoClock clock;
  private final Slots slots;
  private final CopyTimer<FirstRead> timer;
  private final ConcurrentHashMap<Long, FirstRead> passed = new ConcurrentHashMap<>();
  // The latest reads whose turn was skipped, in a ring.
  private final AtomicReferenceArray<FirstRead> skipped = new AtomicReferenceArray<>(MOST_SKIPPED);
  private final AtomicInteger skips = new AtomicInteger();
  private volatile Callbacks callbacks;
  private volatile Notices notices;
  private volatile CopyBudget budget;

  PassedOn(Supplier<Engine> engines, NanoClock clock, Slots slots) {
    this.engines = engines;
    this.clock = clock;
    this.slots = slots;
    timer = new CopyTimer<>("manx-ties", clock, this::due);
  }

  /**
   * Starts passing reads on.
   *
   * @param copies the budget of copies; null for none
   */
  void use(Callbacks known, Notices sender, CopyBudget copies) {
    callbacks = known;
    notices = sender;
    budget = copies;
  }

  /** The budget of an engine's planner; null if it has none, or fails to make one. */
  static CopyBudget budget(Engine engine) {
    try {
      return engine.strategy().planner().newReplicaBudget();
    } catch (Throwable t) {
      engine.guard().fault("the budget of the copies passed on", t);
      return null;
    }
  }

  /** Restarts the timer if its thread has died or hangs. */
  void ensure() {
    timer.run();
  }

  /** Handles everything due by a time. Called by the timer only. */
  void advance(long nowNanos) {
    timer.advance(nowNanos);
  }

  /** Whether this node passes reads on. */
  boolean isUsed() {
    return budget != null;
  }

  int armed() {
    return timer.armed();
  }

  int size() {
    return passed.size();
  }

  /** Records that a read that had waited here was served. */
  void served() {
    CopyBudget copies = budget;
    if (copies != null) {
      copies.succeeded();
    }
  }

  private void inVain() {
    CopyBudget copies = budget;
    if (copies != null) {
      copies.wasted();
    }
  }

  /**
   * Records that a read has begun to wait. One that expires before it may be passed on would only
   * keep its place in the timer from other reads; staggers come from other nodes.
   */
  void arm(FirstRead read) {
    long due = read.sinceNanos + read.staggerNanos;
    if (due - read.expiresNanos >= 0) {
      return;
    }
    if (read.claim.isWaiting() && !timer.add(read, due)) {
      read.engine.counters().count(Counter.COPIES_OVERFLOWED);
    }
  }

  /** Handles a read that has waited for its stagger, on the timer's thread. */
  private void due(FirstRead read) {
    Engine engine = read.engine;
    CopyBudget copies = budget;
    Callbacks known = callbacks;
    // Meanwhile another engine, or none, decides.
    if (!read.claim.isWaiting() || engines.get() != engine || copies == null || known == null) {
      return;
    }
    try {
      long now = clock.nanoTime();
      if (now - read.expiresNanos >= 0) {
        return;
      }
      if (!Partners.exchangesNotices(engine, read.peer, now)
          || !known.isAlive(read.peer)
          || !isAwaited(known, read)
          || passed.size() >= MOST
          || !copies.take()) {
        engine.counters().count(Counter.COPIES_SUPPRESSED);
        return;
      }
      boolean passedOn = false;
      try {
        passedOn = !engine.acting() || pass(known, read, now);
      } finally {
        if (!passedOn) {
          copies.abandoned();
        }
      }
      if (!engine.acting()) {
        engine.counters().count(Counter.COPIES_PASSED_ON);
      }
    } catch (Throwable t) {
      engine.guard().survived("the passing on of a read", t);
    }
  }

  /**
   * Whether its coordinator may still wait for it. A copy cannot answer a dead one, so both
   * replicas would run the reads that it has left behind.
   */
  private static boolean isAwaited(Callbacks known, FirstRead read) {
    Message<?> message = read.message();
    return message == null || known.isAlive(message.from());
  }

  /** Passes a read on; false if it has started here, or its copy could not be tracked. */
  private boolean pass(Callbacks known, FirstRead read, long now) {
    Message<?> message = read.message();
    FirstRead.Home home = read.home();
    if (message == null && home == null) {
      // It has started.
      return false;
    }
    InetAddressAndPort self = FBUtilities.getBroadcastAddressAndPort();
    Message<?> copy =
        home == null
            ? SecondCopy.of(message, self)
            : SecondCopy.of(home.command(), read.sinceNanos);
    long age = now - read.sinceNanos;
    byte[] copied =
        home == null
            ? TieForm.copied(message.from(), message.id(), age)
            : TieForm.copied(self, copy.id(), age);
    Message<?> tagged =
        CustomMap.passedOn(copy, copied, read.rank == null ? null : read.rank.tag());
    passed.put(copy.id(), read);
    if (home != null && !slots.open(slot(read, home, copy.id(), self))) {
      passed.remove(copy.id(), read);
      read.engine.counters().count(Counter.COPIES_OVERFLOWED);
      return false;
    }
    if (!read.sends(copy.id())) {
      passed.remove(copy.id(), read);
      slots.close(copy.id());
      return false;
    }
    read.engine.counters().count(Counter.COPIES_PASSED_ON);
    known.send(tagged, read.peer);
    return true;
  }

  private static Slot slot(FirstRead read, FirstRead.Home home, long id, InetAddressAndPort self) {
    return new Slot(
        read.engine,
        id,
        self,
        read.peer,
        home.ticket(),
        read.engine.self(),
        home.rank(),
        read.sinceNanos,
        read.expiresNanos,
        read);
  }

  /** Records that a passed-on read has started here. */
  void recall(FirstRead read, long copyId) {
    Engine engine = read.engine;
    if (read.isAtHome()) {
      slots.close(copyId);
    }
    Notices sender = notices;
    if (sender != null && engines.get() != null) {
      engine.counters().count(Counter.COPIES_RECALLED);
      try {
        sender.recalled(engine, read.peer, copyId);
      } catch (Throwable t) {
        engine.guard().survived("the recall of a copy", t);
      }
    }
  }

  /** Records that a copy has started at its peer. */
  void started(InetAddressAndPort peer, long copyId) {
    FirstRead read = passed.get(copyId);
    if (read != null && read.peer.equals(peer)) {
      started(read, copyId);
    }
  }

  /** Records the start of a copy whose read was found by the copy's id. */
  void started(FirstRead read, long copyId) {
    if (read.cede()) {
      read.engine.counters().count(Counter.READS_CEDED);
      // Cassandra delivers messages on many threads: the copy's failure may have arrived since the
      // read was found, before there was a read to take back.
      if (read.copyFailure() != null) {
        takeBack(callbacks, read);
      }
    } else if (!read.claim.isCeded() && passed.remove(copyId, read)) {
      read.engine.counters().count(Counter.COPIES_BOTH_RAN);
      inVain();
    }
  }

  /**
   * Handles a message that its peer sent to this node under a copy's id.
   *
   * @return false if the message is not one
   */
  boolean take(Callbacks known, Message<?> message) {
    FirstRead read = passed.get(message.id());
    if (read == null || !read.peer.equals(message.from()) || !passed.remove(message.id(), read)) {
      return false;
    }
    inVain();
    if (!message.isFailureResponse()) {
      read.engine.counters().count(Counter.COPIES_BOTH_RAN);
      return true;
    }
    read.engine.counters().count(Counter.COPIES_FAILED);
    slots.close(message.id());
    read.copyFailed(message.id(), (RequestFailureReason) message.payload);
    takeBack(known, read);
    return true;
  }

  /** Records that a read's turn was skipped; its copy may still fail. */
  void skipped(FirstRead read) {
    int place = skips.getAndIncrement() & MOST_SKIPPED - 1;
    FirstRead earlier = skipped.getAndSet(place, read);
    if (earlier != null) {
      earlier.releaseCommand();
    }
  }

  /** Handles the failure of a read's copy: the read is served here after all. */
  private void takeBack(Callbacks known, FirstRead read) {
    boolean expired = clock.nanoTime() - read.expiresNanos >= 0;
    if (!read.giveBack() && read.claim.fails() && !expired) {
      serve(known, read);
    }
  }

  /**
   * Serves a read whose turn was skipped. If its command is gone, its copy's failure answers it.
   */
  private static void serve(Callbacks known, FirstRead read) {
    FirstRead.Home home = read.home();
    Message<?> message = read.message();
    if (home != null) {
      known.serve(home.task());
    } else if (message != null && message.payload != NoPayload.noPayload) {
      known.serve(message);
    } else if (message != null) {
      known.send(message.failureResponse(read.copyFailure()), message.from());
    }
  }

  /** Records that a read of this coordinator has its copy's answer. */
  void answered(long copyId) {
    passed.remove(copyId);
  }

  /** Forgets expired reads. */
  void sweep(long nowNanos) {
    passed.values().removeIf(read -> nowNanos - read.expiresNanos >= 0);
    boolean none = passed.isEmpty();
    for (int place = 0; place < MOST_SKIPPED; place++) {
      FirstRead read = skipped.get(place);
      if (read != null && (none || nowNanos - read.expiresNanos >= 0)) {
        skipped.compareAndSet(place, read, null);
      }
    }
  }
}
