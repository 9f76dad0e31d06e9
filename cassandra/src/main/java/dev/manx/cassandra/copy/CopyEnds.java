/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.copy;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.Engine.Outcome;
import dev.manx.cassandra.control.Counter;
import dev.manx.policy.NanoClock;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.service.reads.ReadCallback;
import org.apache.cassandra.utils.FBUtilities;

/**
 * Handles the ends of reads that may be copied and of their second copies: the first answer goes to
 * the request, and each copy has exactly one end, which is counted. Any thread.
 */
public final class CopyEnds {
  private final Supplier<Engine> engines;
  private final NanoClock clock;
  private final CopyTimer<SentRead> timer;
  private final Supplier<Callbacks> callbacks;
  private final ConcurrentHashMap<Long, SentRead> firsts = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Long, SentRead> seconds = new ConcurrentHashMap<>();

  /**
   * @param engines the present engine; null while Manx is off
   * @param timer gets late reads whose turn may have come
   * @param callbacks the node's callbacks; null while no read is copied
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

  /** Number of second copies under way. */
  int seconds() {
    return seconds.size();
  }

  /** Number of reads under way that may be copied. */
  public int firsts() {
    return firsts.size();
  }

  /** Called before a read that may be copied is sent. */
  void follow(SentRead read) {
    firsts.put(read.messageId, read);
    if (isGone(read)) {
      firsts.remove(read.messageId, read);
    }
  }

  /** Called before a second copy is sent; false if it must not be sent. */
  boolean followSecond(long messageId, SentRead read) {
    seconds.put(messageId, read);
    return !isGone(read) || !seconds.remove(messageId, read);
  }

  /**
   * Whether another engine, or none, decides meanwhile. Checked after a read has been entered: when
   * Manx goes off it first changes the engine and then forgets its reads, so either that or this
   * check finds the entry.
   */
  private boolean isGone(SentRead read) {
    return engines.get() != read.flight.engine();
  }

  /** Records that a second copy is not sent; false if it has already ended. */
  boolean dropSecond(long messageId) {
    return seconds.remove(messageId) != null;
  }

  /** Records that a read got no ticket, so that its end would be unknown: it is not copied. */
  public void unknown(SentRead read) {
    firsts.remove(read.messageId, read);
    if (read.close(SentRead.State.ENDED)) {
      read.flight.engine().counters().count(Counter.COPIES_OVERFLOWED);
      call(read.flight.engine(), read.flight.closed(read));
    }
  }

  /** Records that Cassandra no longer waits for a read, whatever becomes of its ticket. */
  void gone(SentRead read) {
    if (read.close(SentRead.State.ENDED)) {
      call(read.flight.engine(), read.flight.closed(read));
    }
  }

  /** Lets the timer check a late read whose turn may have come; null for none. */
  private void call(Engine engine, SentRead next) {
    if (next != null && !timer.add(next, clock.nanoTime())) {
      next.flight.notCalled(next);
      engine.counters().count(Counter.COPIES_OVERFLOWED);
    }
  }

  /**
   * Checks whether a message answers a second copy; if so, claims it for this copy. A retry of
   * stock that serves as a copy is not meant: Cassandra gets its answer.
   *
   * @return null if it does not answer one
   */
  public SentRead take(Message<?> message) {
    Verb verb = message.verb();
    if (seconds.isEmpty() || verb != Verb.READ_RSP && verb != Verb.FAILURE_RSP) {
      return null;
    }
    SentRead read = seconds.get(message.id());
    if (read != null && read.isCopiedByRetry()) {
      endIfAborted(read, message);
      return null;
    }
    return read != null && read.spare.equals(message.from()) && seconds.remove(message.id(), read)
        ? read
        : null;
  }

  /** To Cassandra, too, an aborted read has failed, and the first one may still answer. */
  private void endIfAborted(SentRead read, Message<?> answer) {
    if (AbortedRead.isIn(answer) && seconds.remove(answer.id(), read)) {
      read.flight.engine().counters().count(Counter.COPIES_FAILED);
    }
  }

  /** Handles the answer of a second copy: it goes to the request if it is the first. */
  public void answered(Engine engine, SentRead read, Message<?> answer) {
    if (answer.isFailureResponse() || AbortedRead.isIn(answer)) {
      // The first copy alone decides, as without a second copy.
      engine.counters().count(Counter.COPIES_FAILED);
      return;
    }
    Callbacks known = callbacks.get();
    boolean closes;
    if (read.isAtHome()) {
      // Before the read is closed, which releases it; null only if it was closed before.
      ReadCallback<?, ?> handler = read.handler();
      boolean runs = read.isStarted();
      closes = known != null && mayEnd(known, handler, runs) && read.close(SentRead.State.WON);
      if (closes) {
        engine.counters().count(Counter.COPIES_WON);
        if (!runs) {
          // It will not run here, so its time would not be recorded.
          known.took(FBUtilities.getBroadcastAddressAndPort(), clock.nanoTime() - read.sentNanos);
        }
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
      // The end of the first copy may be about to be counted, too late for the slot.
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

  /**
   * Whether a copy's answer may end a read at home. If the read runs, the request will have its
   * answer, too; if stock has sent it again meanwhile, there may be no room for a third.
   */
  private static boolean mayEnd(Callbacks known, ReadCallback<?, ?> handler, boolean runs) {
    return !runs || handler == null || known.candidates(handler) != null;
  }

  /**
   * Handles a closed ticket: perhaps that of a first copy, of a second copy without an answer, or
   * of a retry of stock that serves as a copy.
   */
  public void ended(Engine engine, long messageId, int node, Outcome outcome, long sentNanos) {
    if (firsts.isEmpty() && seconds.isEmpty()) {
      return;
    }
    SentRead second = seconds.remove(messageId);
    if (second != null) {
      secondEnded(engine, second, outcome);
      return;
    }
    SentRead read = firsts.get(messageId);
    if (read == null || read.node != node || !firsts.remove(messageId, read)) {
      return;
    }
    if (outcome == Outcome.CANCELLED) {
      // Its node died; the request still waits, and a copy can still complete it.
      return;
    }
    long elapsed = clock.nanoTime() - sentNanos;
    if (read.close(SentRead.State.ENDED)) {
      closed(engine, read, elapsed, outcome == Outcome.ANSWERED);
    } else if (read.hasWon()) {
      overtaken(engine, read, outcome, elapsed);
    }
  }

  private void secondEnded(Engine engine, SentRead read, Outcome outcome) {
    if (!read.isCopiedByRetry() || outcome == Outcome.TIMED_OUT || outcome == Outcome.CANCELLED) {
      engine.counters().count(Counter.COPIES_LOST);
    } else if (outcome == Outcome.FAILED) {
      engine.counters().count(Counter.COPIES_FAILED);
    } else {
      retryAnswered(engine, read);
    }
  }

  /** Cassandra has the answer of a retry; a read that still waits at home need not run. */
  private void retryAnswered(Engine engine, SentRead read) {
    boolean runs = read.isStarted();
    if (!read.close(read.isAtHome() ? SentRead.State.WON : SentRead.State.ENDED)) {
      wasted(engine, read);
      return;
    }
    engine.counters().count(Counter.COPIES_WON);
    long elapsed = clock.nanoTime() - read.sentNanos;
    Callbacks known = callbacks.get();
    if (known != null && read.isAtHome() && !runs) {
      // It will not run here, so its time would not be recorded.
      known.took(FBUtilities.getBroadcastAddressAndPort(), elapsed);
    }
    closed(engine, read, elapsed, true);
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
    // The end of a tied read is reported with its tie.
    if (answered && !read.flight.isTied()) {
      // In shadow mode no copy was sent, and the time is that of the first one.
      boolean copied = read.isCopied() && engine.acting();
      engine.strategy().planner().answered(read.rank(), elapsed, copied);
    }
    call(engine, next);
  }

  /**
   * Called when Manx goes off: nothing is tracked any longer. The first copies' answers go to the
   * requests.
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
