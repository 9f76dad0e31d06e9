/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.copy;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.Engine.Outcome;
import dev.manx.cassandra.control.Counter;
import dev.manx.policy.NanoClock;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.ParamType;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.service.reads.ReadCallback;
import org.apache.cassandra.utils.FBUtilities;

/**
 * What becomes of reads that may be copied, and of their second copies: the answer that comes first
 * goes to the request, and each copy comes to one end, which is counted. Any thread.
 */
public final class CopyEnds {
  private final Supplier<Engine> engines;
  private final NanoClock clock;
  private final CopyTimer<SentRead> timer;
  private final Supplier<Callbacks> callbacks;
  private final ConcurrentHashMap<Long, SentRead> firsts = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Long, SentRead> seconds = new ConcurrentHashMap<>();

  /**
   * @param engines the engine of the moment; null while Manx is off
   * @param timer is told of a late read whose turn may have come
   * @param callbacks those of the node; null while no read is copied
   */
  CopyEnds(
      Supplier<Engine> engines,
      NanoClock clock,
      CopyTimer<SentRead> timer,
      Supplier<Callbacks> callbacks) {
    this.engines = engines;
    this.clock = clock;
    this.timer = timer;
    this.callbacks = callbacks;
  }

  /** Second copies under way. */
  int seconds() {
    return seconds.size();
  }

  /** Reads that may be copied, under way. */
  public int firsts() {
    return firsts.size();
  }

  /** A read that may be copied is about to go out. */
  void follow(SentRead read) {
    firsts.put(read.messageId, read);
    if (isGone(read)) {
      firsts.remove(read.messageId, read);
    }
  }

  /** A second copy of a read is about to go out; false if it must not. */
  boolean followSecond(long messageId, SentRead read) {
    seconds.put(messageId, read);
    return !isGone(read) || !seconds.remove(messageId, read);
  }

  /**
   * Whether another engine, or none, decides by now. To be asked when a read has been entered: Manx
   * goes off first and forgets its reads then, so either that or this finds the entry.
   */
  private boolean isGone(SentRead read) {
    return engines.get() != read.flight.engine();
  }

  /** A second copy does not go out. */
  void dropSecond(long messageId) {
    seconds.remove(messageId);
  }

  /** A read got no ticket, so that its end would not be known: it is not copied. */
  public void unknown(SentRead read) {
    firsts.remove(read.messageId, read);
    if (read.close(SentRead.State.ENDED)) {
      read.flight.engine().counters().count(Counter.COPIES_OVERFLOWED);
      call(read.flight.engine(), read.flight.closed(read));
    }
  }

  /** Has the timer look at a late read whose turn may have come; none for null. */
  private void call(Engine engine, SentRead next) {
    if (next != null && !timer.add(next, clock.nanoTime())) {
      next.flight.notCalled(next);
      engine.counters().count(Counter.COPIES_OVERFLOWED);
    }
  }

  /**
   * Looks whether a message answers a second copy; if so it is this copy's no longer.
   *
   * @return null if it does not
   */
  public SentRead take(Message<?> message) {
    Verb verb = message.verb();
    if (seconds.isEmpty() || verb != Verb.READ_RSP && verb != Verb.FAILURE_RSP) {
      return null;
    }
    SentRead read = seconds.get(message.id());
    return read != null && read.spare.equals(message.from()) && seconds.remove(message.id(), read)
        ? read
        : null;
  }

  /** The answer of a second copy: goes to the request if none was there before. */
  public void answered(Engine engine, SentRead read, Message<?> answer) {
    if (answer.isFailureResponse() || isAborted(answer)) {
      // The first copy decides alone, as it would have without a second one.
      engine.counters().count(Counter.COPIES_FAILED);
      return;
    }
    Callbacks known = callbacks.get();
    boolean closes;
    if (read.isAtHome()) {
      // Before the read is closed, which lets go of it; null only if it was closed before.
      ReadCallback<?, ?> handler = read.handler();
      closes = known != null && read.close(SentRead.State.WON);
      if (closes) {
        engine.counters().count(Counter.COPIES_WON);
        // The read will not be run here, which would have entered its time.
        known.took(FBUtilities.getBroadcastAddressAndPort(), clock.nanoTime() - read.sentNanos);
        known.answer(handler, answer);
      } else {
        wasted(engine, read);
      }
    } else {
      boolean filled =
          known != null
              && known.fill(
                  read.messageId,
                  read.to,
                  answer,
                  () -> engine.counters().count(Counter.COPIES_WON));
      if (!filled) {
        wasted(engine, read);
      }
      // The first copy's own end may be about to be counted, too late for the slot.
      closes = filled && read.close(SentRead.State.WON);
    }
    if (closes) {
      long now = clock.nanoTime();
      engine.timed().answered(read.messageId, now);
      long outer = engine.guard().stalls().enter(now);
      try {
        closed(engine, read, now - read.sentNanos, true);
      } finally {
        engine.guard().stalls().leave(outer);
      }
    }
  }

  /** Whether a replica gave the read up, for too many tombstones or bytes, in an empty answer. */
  public static boolean isAborted(Message<?> answer) {
    if (answer.header.params().isEmpty()) {
      return false;
    }
    for (ParamType param : answer.header.params().keySet()) {
      if (param.name().endsWith("_FAIL")) {
        return true;
      }
    }
    return false;
  }

  /** A ticket was closed: perhaps that of a first copy, or of a second one that has no answer. */
  public void ended(Engine engine, long messageId, int node, Outcome outcome, long sentNanos) {
    if (firsts.isEmpty() && seconds.isEmpty()) {
      return;
    }
    if (seconds.remove(messageId) != null) {
      engine.counters().count(Counter.COPIES_LOST);
      return;
    }
    SentRead read = firsts.get(messageId);
    if (read == null || read.node != node || !firsts.remove(messageId, read)) {
      return;
    }
    if (outcome == Outcome.CANCELLED) {
      // Its node died; the request still waits, and a copy can still end the wait.
      return;
    }
    long elapsed = clock.nanoTime() - sentNanos;
    if (read.close(SentRead.State.ENDED)) {
      closed(engine, read, elapsed, outcome == Outcome.ANSWERED);
    } else if (read.hasWon()) {
      overtaken(engine, read, outcome, elapsed);
    }
  }

  private void overtaken(Engine engine, SentRead read, Outcome outcome, long elapsed) {
    if (outcome == Outcome.ANSWERED) {
      engine.counters().count(Counter.COPIES_OVERTAKEN);
    }
    Callbacks known = callbacks.get();
    if (known != null
        && !read.isAtHome()
        && (outcome == Outcome.ANSWERED || outcome == Outcome.TIMED_OUT)) {
      known.took(read.to, elapsed);
    }
  }

  private void wasted(Engine engine, SentRead read) {
    engine.counters().count(Counter.COPIES_WASTED);
    long outer = engine.guard().stalls().enter(clock.nanoTime());
    try {
      read.flight.engine().strategy().planner().copyWasted();
    } finally {
      engine.guard().stalls().leave(outer);
    }
  }

  private void closed(Engine engine, SentRead read, long elapsed, boolean answered) {
    SentRead next = read.flight.closed(read);
    if (engines.get() != read.flight.engine()) {
      return;
    }
    if (answered) {
      // In shadow mode a copy was only wanted, and the time is that of the first one.
      boolean copied = read.isCopied() && engine.acting();
      engine.strategy().planner().answered(read.rank(), elapsed, copied);
    }
    call(engine, next);
  }

  /**
   * Manx is off: nothing is followed any more. The first copies' own answers go to the requests.
   */
  public void forget(Runnable lost) {
    for (Long id : seconds.keySet()) {
      if (seconds.remove(id) != null) {
        lost.run();
      }
    }
    firsts.clear();
  }
}
