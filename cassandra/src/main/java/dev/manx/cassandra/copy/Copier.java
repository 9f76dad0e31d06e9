/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.copy;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.policy.Copies;
import dev.manx.policy.NanoClock;
import dev.manx.policy.Request;
import java.util.function.Supplier;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.service.reads.ReadCallback;
import org.apache.cassandra.tracing.Tracing;

/**
 * Has late reads sent again when the planner decides so. Lives as long as the node; request threads
 * arm reads here, {@link LateReads} sends copies, {@link CopyEnds} handles their ends.
 */
/*
 * The second copy has no callback at Cassandra: its expiry would count as a time-out of its node.
 * It is tracked only in this package, by its ticket, and its answer fills the slot of the first
 * copy. The first copy's late answer then finds no callback, and its time is recorded by CopyEnds
 * in the statistics that Cassandra would have updated.
 */
public final class Copier {
  private final NanoClock clock;
  private final CopyTimer<SentRead> timer;
  private final CopyEnds ends;
  private volatile Callbacks callbacks;

  /**
   * @param engines the present engine; null while Manx is off
   */
  public Copier(Supplier<Engine> engines, NanoClock clock) {
    this.clock = clock;
    LateReads late = new LateReads(engines, clock, () -> callbacks);
    timer = late.timer();
    ends = late.ends();
  }

  /** Starts copying reads, if the planner requests it; null to stop. */
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

  /** Handles everything due by a time. Called by the timer only. */
  void advance(long nowNanos) {
    timer.advance(nowNanos);
  }

  /** Whether the node supports copies. */
  public boolean isReady() {
    return callbacks != null;
  }

  /** Number of armed reads: sent, and to be checked when they are late. */
  public int armed() {
    return timer.armed();
  }

  /** Most armed reads at one time. */
  public static int mostArmed() {
    return CopyTimer.MOST;
  }

  /** Number of second copies under way. */
  public int underWay() {
    return ends.seconds();
  }

  /** Handles the ends of sent copies and armed reads. */
  public CopyEnds ends() {
    return ends;
  }

  /**
   * Called before a planned request sends its reads.
   *
   * @return null if none of them may be copied
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
   * Called before a planned read of a flight is sent; its ticket is opened next.
   *
   * @return the read, or null if it may not be copied
   */
  public SentRead sent(
      Flight flight,
      Request request,
      int read,
      Message<?> message,
      InetAddressAndPort to,
      int node) {
    if (!flight.firstOf(read) || callbacks == null) {
      return null;
    }
    SentRead copied =
        follow(flight, request, read, message, to, node, request.copyAfterNanos(read));
    if (copied == null) {
      flight.ineligible();
    }
    return copied;
  }

  /**
   * Called before a planned read is sent that was offered to its replica, or held back from it; its
   * ticket is opened next. If the replica stalls, this coordinator sends the read again.
   *
   * @return the read, or null if the planner rescues none, or it may not be copied
   */
  public SentRead offered(
      Flight flight,
      Request request,
      int read,
      Message<?> message,
      InetAddressAndPort to,
      int node) {
    long after = flight.engine().strategy().planner().rescueAfterNanos();
    return after == Long.MAX_VALUE ? null : follow(flight, request, read, message, to, node, after);
  }

  private SentRead follow(
      Flight flight,
      Request request,
      int read,
      Message<?> message,
      InetAddressAndPort to,
      int node,
      long afterNanos) {
    Callbacks known = callbacks;
    if (known == null) {
      return null;
    }
    Engine engine = flight.engine();
    EndpointsForToken candidates =
        message.traceSession() == null ? known.candidates(message.id(), to) : null;
    Replica spare = spare(engine, candidates, request, read, node);
    if (spare == null) {
      return null;
    }
    int spareNode = engine.nodes().find(spare.endpoint());
    long now = clock.nanoTime();
    return arm(
        read,
        new SentRead(flight, message, to, node, spare.endpoint(), spareNode, request, read, now),
        now + afterNanos);
  }

  /**
   * Called before a planned read of a flight goes to a thread of its coordinator; its ticket is
   * opened next.
   *
   * @param handler the callback that waits for it
   * @param ticket its ticket's id
   * @return the read, or null if it may not be copied
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
        read,
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

  /** Records that a planned read of a flight is sent later than planned, and may not be copied. */
  public void passedOver(Flight flight, int read) {
    if (flight.firstOf(read)) {
      flight.ineligible();
    }
  }

  private SentRead arm(int read, SentRead sent, long dueNanos) {
    sent.flight.armed(read, sent);
    ends.follow(sent);
    if (!timer.add(sent, dueNanos)) {
      sent.flight.engine().counters().count(Counter.COPIES_OVERFLOWED);
    }
    return sent;
  }

  private static Replica spare(
      Engine engine, EndpointsForToken candidates, Request request, int read, int node) {
    return candidates == null || request.copyAfterNanos(read) == Request.NEVER
        ? null
        : Spares.of(candidates, request, read, node, engine.nodes(), other -> true);
  }
}
