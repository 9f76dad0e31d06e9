/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.copy;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.policy.Copies;
import dev.manx.policy.NanoClock;
import dev.manx.policy.Request;
import dev.manx.policy.fanout.FanoutPlanner;
import java.util.function.Supplier;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.service.reads.ReadCallback;
import org.apache.cassandra.tracing.Tracing;

/**
 * Sends late reads once more, when the planner says so. Lives as long as the node; request threads
 * arm, its timer sends. {@link CopyEnds} knows what becomes of the copies.
 */
/*
 * The second copy has no callback at Cassandra: its expiry would count as a time-out of its node. It is known
 * here only, by its ticket, and its answer fills the slot of the first copy. The first copy's late answer
 * then finds no callback, and its time is entered here in the statistics that Cassandra would have fed.
 */
public final class Copier {
  private final Supplier<Engine> engines;
  private final NanoClock clock;
  private final CopyTimer<SentRead> timer;
  private final CopyEnds ends;
  private volatile Callbacks callbacks;

  /**
   * @param engines the engine of the moment; null while Manx is off
   */
  public Copier(Supplier<Engine> engines, NanoClock clock) {
    this.engines = engines;
    this.clock = clock;
    timer = new CopyTimer<>("manx-copies", clock, this::due);
    ends = new CopyEnds(engines, clock, timer, () -> callbacks);
  }

  /** From now on reads are copied, if the planner asks for it; null for no longer. */
  public void use(Callbacks ofNode) {
    callbacks(ofNode);
    if (ofNode != null) {
      timer.run();
    }
  }

  /** Restarts the timer if its thread has died or hangs. */
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
    return ends.seconds();
  }

  /** What becomes of the copies that were sent, and of the reads that were armed. */
  public CopyEnds ends() {
    return ends;
  }

  /**
   * A planned request is about to send its reads.
   *
   * @return null if none of them is to be copied
   */
  public Flight begin(Engine engine, Request request) {
    boolean tied = request.copies() == Copies.FORWARDED;
    if (!tied && request.copies() != Copies.HEDGED) {
      return null;
    }
    if (!(tied ? engine.ties().isUsed() : callbacks != null) || request.contacts(0) != 1) {
      engine.counters().count(Counter.COPIES_INELIGIBLE, request.reads());
      return null;
    }
    return new Flight(engine, request.reads(), tied);
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

  /** A planned read of a flight goes out later than its plan, and is not to be copied. */
  public void passedOver(Flight flight, int read) {
    if (flight.firstOf(read)) {
      flight.ineligible();
    }
  }

  private SentRead arm(SentRead read, long dueNanos) {
    read.flight.armed();
    ends.follow(read);
    if (!timer.add(read, dueNanos)) {
      read.flight.engine().counters().count(Counter.COPIES_OVERFLOWED);
    }
    return read;
  }

  private static Replica spare(
      Engine engine, EndpointsForToken candidates, Request request, int read, int node) {
    return candidates == null || request.copyAfterNanos(read) == Request.NEVER
        ? null
        : Spares.of(candidates, request, read, node, engine.nodes(), other -> true);
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
    } else if (copy != null) {
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
    if (!ends.followSecond(copy.id(), read)) {
      return;
    }
    if (!engine.sent(copy.id(), read.spareNode, read.costNanos, read.keyHash, lifetime)) {
      // It could not be counted as outstanding, so nothing would tell that it was lost.
      ends.dropSecond(copy.id());
      engine.counters().count(Counter.COPIES_OVERFLOWED);
      return;
    }
    read.copied();
    engine.counters().count(Counter.COPIES_SENT);
    known.send(copy, read.spare);
  }

  private static void fault(Engine engine, String where, Throwable fault) {
    try {
      engine.guard().fault(where, fault);
    } catch (VirtualMachineError e) {
      engine.guard().stuck(where + " met " + e);
    }
  }
}
