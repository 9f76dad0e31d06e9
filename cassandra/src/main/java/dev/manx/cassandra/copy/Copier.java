/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.copy;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.Engine.Outcome;
import dev.manx.cassandra.control.Counter;
import dev.manx.policy.Copies;
import dev.manx.policy.NanoClock;
import dev.manx.policy.Request;
import dev.manx.policy.fanout.FanoutPlanner;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.ParamType;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.service.reads.ReadCallback;
import org.apache.cassandra.tracing.Tracing;
import org.apache.cassandra.utils.FBUtilities;

/**
 * Sends late reads once more, when the planner says so, and gives the request the answer that comes
 * first. Lives as long as the node; request threads arm, its timer sends, response threads close.
 */
/*
 * The second copy has no callback at Cassandra: its expiry would count as a time-out of its node. It is known
 * here only, by its ticket, and its answer fills the slot of the first copy. The first copy's late answer
 * then finds no callback, and its time is entered here in the statistics that Cassandra would have fed.
 */
public final class Copier {
  private final Supplier<Engine> engines;
  private final NanoClock clock;
  private final CopyTimer timer;
  private final ConcurrentHashMap<Long, SentRead> firsts = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Long, SentRead> seconds = new ConcurrentHashMap<>();
  private volatile Callbacks callbacks;

  /**
   * @param engines the engine of the moment; null while Manx is off
   */
  public Copier(Supplier<Engine> engines, NanoClock clock) {
    this.engines = engines;
    this.clock = clock;
    timer = new CopyTimer(clock, this::due);
  }

  /** From now on reads are copied, if the planner asks for it; null for no longer. */
  public void use(Callbacks ofNode) {
    callbacks(ofNode);
    if (ofNode != null) {
      timer.run();
    }
  }

  /** Sees that a thread sends what is due, whatever became of the last one. */
  public void ensure() {
    if (callbacks != null) {
      timer.run();
    }
  }

  void callbacks(Callbacks known) {
    callbacks = known;
  }

  /** Does what is due by a time. The timer's own. */
  void advance(long nowNanos) {
    timer.advance(nowNanos);
  }

  /** Whether the node offers what copies need. */
  public boolean isReady() {
    return callbacks != null;
  }

  /** Reads armed: sent, and to be looked at when they are late. */
  public int armed() {
    return timer.armed();
  }

  /** Most reads armed at a time. */
  public static int mostArmed() {
    return CopyTimer.MOST;
  }

  /** Second copies under way. */
  public int underWay() {
    return seconds.size();
  }

  /**
   * A planned request is about to send its reads.
   *
   * @return null if none of them is to be copied
   */
  public Flight begin(Engine engine, Request request) {
    if (request.copies() != Copies.HEDGED) {
      return null;
    }
    if (callbacks == null || request.contacts(0) != 1) {
      engine.counters().count(Counter.COPIES_INELIGIBLE, request.reads());
      return null;
    }
    return new Flight(engine, request.reads());
  }

  /**
   * A planned read of a flight is about to go out; its ticket is opened next.
   *
   * @return the read, or null if it is not to be copied
   */
  public SentRead sent(
      Flight flight,
      Request request,
      int read,
      Message<?> message,
      InetAddressAndPort to,
      int node) {
    Callbacks known = callbacks;
    if (!flight.firstOf(read) || known == null) {
      return null;
    }
    Engine engine = flight.engine();
    EndpointsForToken candidates =
        message.traceSession() == null ? known.candidates(message.id(), to) : null;
    Replica spare = spare(engine, candidates, request, read, node);
    if (spare == null) {
      flight.ineligible();
      return null;
    }
    int spareNode = engine.nodes().find(spare.endpoint());
    long now = clock.nanoTime();
    return arm(
        new SentRead(flight, message, to, node, spare.endpoint(), spareNode, request, read, now),
        now + request.copyAfterNanos(read));
  }

  /**
   * A planned read of a flight is about to wait for a thread of its coordinator; its ticket is
   * opened next.
   *
   * @param handler who waits for it
   * @param ticket its ticket's id
   * @return the read, or null if it is not to be copied
   */
  public SentRead atHome(
      Flight flight,
      Request request,
      int read,
      ReadCommand command,
      ReadCallback<?, ?> handler,
      long ticket) {
    Callbacks known = callbacks;
    if (!flight.firstOf(read) || known == null) {
      return null;
    }
    Engine engine = flight.engine();
    EndpointsForToken candidates = Tracing.isTracing() ? null : known.candidates(handler);
    Replica spare = spare(engine, candidates, request, read, engine.self());
    if (spare == null) {
      flight.ineligible();
      return null;
    }
    int spareNode = engine.nodes().find(spare.endpoint());
    long now = clock.nanoTime();
    return arm(
        SentRead.atHome(
            flight,
            command,
            handler,
            ticket,
            engine.self(),
            spare.endpoint(),
            spareNode,
            request,
            read,
            now),
        now + request.copyAfterNanos(read));
  }

  private SentRead arm(SentRead read, long dueNanos) {
    read.flight.armed();
    firsts.put(read.messageId, read);
    if (!timer.add(read, dueNanos)) {
      read.flight.engine().counters().count(Counter.COPIES_OVERFLOWED);
    }
    return read;
  }

  private static Replica spare(
      Engine engine, EndpointsForToken candidates, Request request, int read, int node) {
    return candidates == null || request.copyAfterNanos(read) == Request.NEVER
        ? null
        : Spares.of(candidates, request, read, node, engine.nodes());
  }

  /** A read got no ticket, so that its end would not be known: it is not copied. */
  public void unknown(SentRead read) {
    firsts.remove(read.messageId, read);
    if (read.close(SentRead.State.ENDED)) {
      read.flight.engine().counters().count(Counter.COPIES_OVERFLOWED);
      read.flight.closed(read);
    }
  }

  /** On the timer's thread: a read is late. */
  private void due(SentRead read) {
    Engine engine = read.flight.engine();
    // Another engine, or none, decides by now.
    if (!read.isOpen() || engines.get() != engine) {
      return;
    }
    long outer = engine.guard().stalls().enter(clock.nanoTime());
    try {
      read.flight.late(read);
      sendDue(engine, read.flight);
    } catch (Throwable t) {
      fault(engine, "the copy of a read", t);
    } finally {
      engine.guard().stalls().leave(outer);
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
        fault(engine, "the copy of a read", t);
      }
    }
  }

  private void sendOrWait(Engine engine, FanoutPlanner planner, SentRead read, int left) {
    Callbacks known = callbacks;
    if (known == null || !isStillOne(known, read)) {
      return;
    }
    long now = clock.nanoTime();
    long elapsed = now - read.sentNanos;
    if (!known.isAlive(read.spare)
        || !planner.mayCopy(read.costNanos, elapsed, read.spareNode, engine.state(), now)) {
      engine.counters().count(Counter.COPIES_SUPPRESSED);
      // An objection to a copy now may be gone when the read is twice as old.
      if (!timer.add(read, now + Math.max(1, elapsed))) {
        engine.counters().count(Counter.COPIES_OVERFLOWED);
      }
      return;
    }
    long priority = planner.copyPriority(read.priority, read.cost, left);
    Message<?> copy = SecondCopy.of(read, priority);
    if (!engine.acting()) {
      read.copied();
      engine.counters().count(Counter.COPIES_SENT);
    } else if (copy != null && engines.get() == engine) {
      send(engine, known, read, copy, now);
    }
  }

  /** Whether the request still waits for it, and stock has not sent it to a second replica. */
  private static boolean isStillOne(Callbacks known, SentRead read) {
    if (!read.isAtHome()) {
      return known.candidates(read.messageId, read.to) != null;
    }
    ReadCallback<?, ?> handler = read.handler();
    return read.isOpen() && known.candidates(handler) != null;
  }

  private void send(Engine engine, Callbacks known, SentRead read, Message<?> copy, long now) {
    long lifetime = Math.max(1, copy.expiresAtNanos() - now);
    seconds.put(copy.id(), read);
    if (!engine.sent(copy.id(), read.spareNode, read.costNanos, read.keyHash, lifetime)) {
      // It could not be counted as outstanding, so nothing would tell that it was lost.
      seconds.remove(copy.id());
      engine.counters().count(Counter.COPIES_OVERFLOWED);
      return;
    }
    read.copied();
    engine.counters().count(Counter.COPIES_SENT);
    known.send(copy, read.spare);
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
    Callbacks known = callbacks;
    boolean closes;
    if (read.isAtHome()) {
      ReadCallback<?, ?> handler = read.handler();
      closes = known != null && read.close(SentRead.State.WON);
      engine.counters().count(closes ? Counter.COPIES_WON : Counter.COPIES_WASTED);
      if (closes) {
        // The read will not be run here, which would have entered its time.
        known.took(FBUtilities.getBroadcastAddressAndPort(), clock.nanoTime() - read.sentNanos);
        known.answer(handler, answer);
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
        engine.counters().count(Counter.COPIES_WASTED);
      }
      // The first copy's own end may be about to be counted, too late for the slot.
      closes = filled && read.close(SentRead.State.WON);
    }
    if (closes) {
      long now = clock.nanoTime();
      engine.timed().answered(read.messageId, now);
      closed(engine, read, now - read.sentNanos, true);
    }
  }

  /** Whether a replica gave the read up, for too many tombstones or bytes, in an empty answer. */
  private static boolean isAborted(Message<?> answer) {
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
    Callbacks known = callbacks;
    if (known != null
        && !read.isAtHome()
        && (outcome == Outcome.ANSWERED || outcome == Outcome.TIMED_OUT)) {
      known.took(read.to, elapsed);
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
    if (next != null && !timer.add(next, clock.nanoTime())) {
      engine.counters().count(Counter.COPIES_OVERFLOWED);
    }
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

  private static void fault(Engine engine, String where, Throwable fault) {
    try {
      engine.guard().fault(where, fault);
    } catch (VirtualMachineError e) {
      engine.guard().stuck(where + " met " + e);
    }
  }
}
