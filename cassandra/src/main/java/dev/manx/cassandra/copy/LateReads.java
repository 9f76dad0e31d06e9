/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.copy;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.hold.HeldMessage;
import dev.manx.policy.NanoClock;
import dev.manx.policy.fanout.FanoutPlanner;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.service.reads.ReadCallback;

/**
 * Sends the copies of late reads, on the timer's thread, once the planner and the rest of their
 * requests permit it.
 */
final class LateReads {
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long PAUSED_NANOS = 20 * TICK_NANOS;

  // A read that runs at home answers its request even if its copy has done so, and stock may have
  // sent it again. A request has room for as many answers as it has candidates.
  private static final int ANSWERS = 3;

  private final Supplier<Engine> engines;
  private final NanoClock clock;
  private final Supplier<Callbacks> callbacks;
  private final CopyTimer<SentRead> timer;
  private final CopyEnds ends;

  /**
   * @param engines the present engine; null while Manx is off
   * @param callbacks the node's callbacks; null while no read is copied
   */
  LateReads(Supplier<Engine> engines, NanoClock clock, Supplier<Callbacks> callbacks) {
    this.engines = engines;
    this.clock = clock;
    this.callbacks = callbacks;
    timer = new CopyTimer<>("manx-copies", clock, this::due);
    ends = new CopyEnds(engines, clock, timer, callbacks);
  }

  /** Gets reads that will be late at a given time. */
  CopyTimer<SentRead> timer() {
    return timer;
  }

  /** Handles the ends of these reads and of their copies. */
  CopyEnds ends() {
    return ends;
  }

  /** Handles a late read, on the timer's thread. */
  private void due(SentRead read) {
    Engine engine = read.flight.engine();
    // Meanwhile another engine, or none, decides.
    if (!read.isOpen() || engines.get() != engine) {
      return;
    }
    long outer = engine.guard().stalls().enter(clock.nanoTime());
    try {
      if (isGone(read)) {
        ends.gone(read);
      } else if (!isOnTime(engine, read)) {
        read.flight.late(read);
        sendDue(engine, read.flight);
      }
    } catch (Throwable t) {
      engine.guard().survived("the copy of a read", t);
    } finally {
      engine.guard().stalls().leave(outer);
    }
  }

  /**
   * Whether Cassandra no longer waits for a read though its ticket did not show that: its node
   * died, or a copy that its replica passed on has answered it.
   */
  private boolean isGone(SentRead read) {
    Callbacks known = callbacks.get();
    return known != null
        && !read.isAtHome()
        && !read.isCopied()
        && !known.awaits(read.messageId, read.to);
  }

  /** Whether a read may still be answered in time; the timer then checks it again. */
  private boolean isOnTime(Engine engine, SentRead read) {
    if (read.flight.isLate(read)) {
      return false;
    }
    long now = clock.nanoTime();
    // After a pause of the whole process the answers that it missed are read first.
    long wait =
        now - read.dueNanos() > PAUSED_NANOS
            ? PAUSED_NANOS
            : engine
                .strategy()
                .planner()
                .onTimeForNanos(
                    read.rank(),
                    read.costNanos,
                    now - read.sentNanos,
                    read.node,
                    engine.state(),
                    now);
    if (wait <= 0) {
      return false;
    }
    again(engine, read, now + wait);
    return true;
  }

  /** Lets the timer check a read again. */
  private void again(Engine engine, SentRead read, long nanos) {
    if (!timer.add(read, nanos)) {
      engine.counters().count(Counter.COPIES_OVERFLOWED);
    }
  }

  private void sendDue(Engine engine, Flight flight) {
    Flight.Rest rest = flight.rest();
    FanoutPlanner planner = engine.strategy().planner();
    if (rest == null || !planner.copiesNow(rest.reads(), rest.left(), rest.late())) {
      return;
    }
    for (SentRead read : flight.take()) {
      try {
        if (read.isOpen() && !read.isCopied()) {
          sendOrWait(engine, planner, read, rest.left());
        }
      } catch (Throwable t) {
        engine.guard().survived("the copy of a read", t);
      }
    }
  }

  private void sendOrWait(Engine engine, FanoutPlanner planner, SentRead read, int left) {
    Callbacks known = callbacks.get();
    HeldMessage retry = read.heldRetry();
    if (known == null || retry == null && !isStillOne(known, read)) {
      return;
    }
    long now = clock.nanoTime();
    if (retry != null && !retry.isHeld()) {
      // Another thread is deciding about it.
      again(engine, read, now + TICK_NANOS);
      return;
    }
    long elapsed = now - read.sentNanos;
    int node = retry == null ? read.spareNode : retry.node();
    if (!known.isAlive(retry == null ? read.spare : retry.to())
        || !planner.mayCopy(read.costNanos, elapsed, read.node, node, engine.state(), now)) {
      engine.counters().count(Counter.COPIES_SUPPRESSED);
      // A refusal of a copy now may no longer apply when the read is twice as old.
      again(engine, read, now + Math.max(1, elapsed));
      return;
    }
    boolean sent = false;
    try {
      sent =
          retry == null
              ? send(engine, known, read, planner.copyPriority(read.priority, read.cost, left), now)
              : release(engine, read, retry, now);
    } finally {
      if (!sent) {
        planner.copyNotSent();
      }
    }
  }

  /** Whether the request still waits for it, and stock has not sent it to a second replica. */
  private static boolean isStillOne(Callbacks known, SentRead read) {
    if (!read.isAtHome()) {
      return known.candidates(read.messageId, read.to) != null;
    }
    ReadCallback<?, ?> handler = read.handler();
    if (!read.isOpen()) {
      return false;
    }
    EndpointsForToken candidates = known.candidates(handler);
    return candidates != null && (!read.isStarted() || candidates.size() >= ANSWERS);
  }

  /**
   * Lets stock's retry of a read leave as its copy: to Cassandra it is an ordinary retry.
   *
   * @return whether it was sent as the copy
   */
  private boolean release(Engine engine, SentRead read, HeldMessage retry, long now) {
    read.copiedByRetry();
    if (!ends.followSecond(retry.id(), read)) {
      return false;
    }
    boolean released = engine.holds().release(retry);
    if (!released && !retry.isGone() && ends.dropSecond(retry.id())) {
      // Another thread is deciding about it, and may let it wait again.
      read.notCopied();
      again(engine, read, now + TICK_NANOS);
      return false;
    }
    boolean followed = released && engine.state().tickets().isOpen(retry.id(), retry.node());
    // Unless it is followed or has just ended, its end will remain unknown, or it was not sent.
    boolean counted = followed || !ends.dropSecond(retry.id());
    if (counted) {
      engine.counters().count(Counter.COPIES_SENT);
    }
    return counted || released;
  }

  /** Sends a copy; false if the read has ended, or the copy could not be tracked. */
  private boolean send(Engine engine, Callbacks known, SentRead read, long priority, long now) {
    if (!engine.acting()) {
      read.copied();
      engine.counters().count(Counter.COPIES_SENT);
      return true;
    }
    Message<?> copy = SecondCopy.of(read, priority);
    if (copy == null || !ends.followSecond(copy.id(), read)) {
      return false;
    }
    long lifetime = Math.max(1, copy.expiresAtNanos() - now);
    if (!engine.sent(copy.id(), read.spareNode, read.costNanos, read.keyHash, lifetime)) {
      // It could not be counted as outstanding, so its loss would not be noticed.
      ends.dropSecond(copy.id());
      engine.counters().count(Counter.COPIES_OVERFLOWED);
      return false;
    }
    read.copied();
    engine.counters().count(Counter.COPIES_SENT);
    known.send(copy, read.spare);
    return true;
  }
}
