/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra;

import dev.manx.cassandra.boot.PluginConfig;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Counters;
import dev.manx.cassandra.control.Guard;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.control.QueueWatch;
import dev.manx.cassandra.copy.Copier;
import dev.manx.cassandra.hold.Holds;
import dev.manx.cassandra.hold.NodeGate;
import dev.manx.cassandra.latency.TimedReads;
import dev.manx.cassandra.message.NodeMessages;
import dev.manx.cassandra.metrics.RequestMeasures;
import dev.manx.cassandra.nodes.Nodes;
import dev.manx.cassandra.record.EngineLog;
import dev.manx.cassandra.tied.Ties;
import dev.manx.cassandra.wire.FactsPace;
import dev.manx.cassandra.wire.Signs;
import dev.manx.policy.NanoClock;
import dev.manx.policy.facts.ClusterState;
import dev.manx.policy.facts.HopMeter;
import dev.manx.policy.facts.LocalLoad;
import dev.manx.policy.facts.Ticket;
import dev.manx.policy.select.HomeFirst;
import dev.manx.policy.strategy.Strategy;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.net.Verb;

/**
 * One wired strategy in use on this node: the state that all hooks share while Manx is in shadow
 * mode or on. Immutable; a switch creates a new one. Any thread.
 *
 * @param mode shadow or on
 * @param strategy the decisions
 * @param state the known facts of the nodes, with the tickets of open reads
 * @param load this node's own load, which its facts report
 * @param nodes ids of endpoints
 * @param stockSnitch the snitch behind Manx's
 * @param self this node's id
 * @param log records its decisions, if enabled
 * @param queues whether reads wait at any node
 * @param hops the additional price of a read elsewhere over one at home
 * @param home the nodes that need not get reads of keys held here, while no read waits
 * @param signs the nodes that show signs of Manx
 * @param pace when answers carry facts
 * @param timed the reads whose own times go into the table's metrics
 * @param copier sends late reads again
 * @param ties tracks the copies that replicas pass on
 * @param holds holds reads back
 * @param gate the strategy's gate, in which reads wait until their node may have them; null for
 *     none
 * @param messages Manx's messages to other nodes
 * @param measures the latency of requests and the waits of reads, and the choice of requests that
 *     Manx acts on
 */
public record Engine(
    Mode mode,
    PluginConfig config,
    Strategy strategy,
    ClusterState state,
    LocalLoad load,
    Nodes nodes,
    IEndpointSnitch stockSnitch,
    int self,
    NanoClock clock,
    Counters counters,
    Guard guard,
    EngineLog log,
    QueueWatch queues,
    HopMeter hops,
    HomeFirst home,
    Signs signs,
    FactsPace pace,
    TimedReads timed,
    Copier copier,
    Ties ties,
    Holds holds,
    NodeGate gate,
    NodeMessages messages,
    RequestMeasures measures) {

  // Far below the ids of local reads, which count down from the least id of a message.
  private static final long PENALTY_IDS = Long.MIN_VALUE;
  private static final AtomicLong penalties = new AtomicLong();

  /** The ending of a read that was sent. */
  public enum Outcome {
    /** The node answered. */
    ANSWERED(Counter.TICKETS_ANSWERED),
    /** The node answered with a failure. */
    FAILED(Counter.TICKETS_FAILED),
    /** No answer came in time. */
    TIMED_OUT(Counter.TICKETS_TIMED_OUT),
    /** The coordinator gave it up, or the node died. */
    CANCELLED(Counter.TICKETS_CANCELLED);

    private final Counter counter;

    Outcome(Counter counter) {
      this.counter = counter;
    }

    /** The counter of this outcome. */
    public Counter counter() {
      return counter;
    }
  }

  /** This node's read threads at present; {@code nodetool setconcurrency} changes no setting. */
  public static int readThreads() {
    return Stage.READ.executor().getMaximumPoolSize();
  }

  /** Whether decisions take effect. */
  public boolean acting() {
    return mode == Mode.ON;
  }

  /**
   * Whether requests are left to stock because, as far as is known here, reads hardly wait at any
   * node.
   */
  public boolean standsAside() {
    return queues.isCalm() && !strategy.actsWithoutQueue();
  }

  /** Whether reads that this node can serve stay here while requests are left to stock. */
  public boolean keepsHome() {
    return acting() && strategy.traits().prefersHome();
  }

  /**
   * Counts a read as outstanding at a node until one of the outcomes closes its ticket.
   *
   * @return false if it has no ticket, so that its end will remain unknown
   */
  public boolean sent(long messageId, int node, long costNanos, long keyHash, long lifetimeNanos) {
    long now = clock.nanoTime();
    if (state.tickets().open(messageId, node, costNanos, keyHash, now, now + lifetimeNanos)) {
      counters.count(Counter.TICKETS_OPENED);
      long outer = guard.stalls().enter(now);
      try {
        strategy.selector().sent(node, costNanos);
      } catch (Throwable t) {
        // The ticket is open despite the failure, and the read's end will close it.
        guard.fault("the selector", t);
      } finally {
        guard.stalls().leave(outer);
      }
      return true;
    }
    counters.count(Counter.TICKETS_OVERFLOWED);
    return false;
  }

  /**
   * Closes a ticket.
   *
   * @param into receives the ticket's contents
   * @return false if there is no ticket, for example because the read was sent before Manx was on
   */
  public boolean closed(long messageId, int node, Outcome outcome, Ticket into) {
    if (!state.tickets().close(messageId, node, into)) {
      return false;
    }
    ended(node, into, outcome);
    return true;
  }

  /**
   * Closes the ticket of a read that failed. A node that fails most of its reads through its own
   * fault must not look idle and attract all reads: the work of failed reads stays outstanding for
   * the length of a time-out.
   */
  public void failed(long messageId, int node, RequestFailureReason reason, Ticket into) {
    if (!closed(messageId, node, Outcome.FAILED, into)) {
      return;
    }
    if (!isOfNode(reason) || !nodes.faults().failed(node)) {
      counters.count(Counter.FAILURES_EXCUSED);
      return;
    }
    long now = clock.nanoTime();
    long penaltyId = PENALTY_IDS + penalties.incrementAndGet();
    long until = now + Verb.READ_REQ.expiresAfterNanos();
    if (state.tickets().open(penaltyId, node, into.costNanos, into.keyHash, now, until)) {
      counters.count(Counter.FAILURES_PENALISED);
    } else {
      nodes.faults().penaltyEnded(node);
    }
  }

  /**
   * Whether a failure is the node's fault. A query that reads too much, or uses an index or a
   * schema that does not exist yet, fails on any node. A reason added to Cassandra later is
   * unknown.
   */
  static boolean isOfNode(RequestFailureReason reason) {
    return switch (reason) {
      case UNKNOWN, TIMEOUT, NODE_DOWN -> true;
      default -> false;
    };
  }

  /**
   * Whether a ticket only keeps a failed read's work outstanding; its end is not counted as an
   * outcome.
   */
  public static boolean isPenalty(Ticket ticket) {
    return ticket.messageId < PENALTY_IDS / 2;
  }

  /** Reports the end of a ticket, already closed, to counters and selector. */
  public void ended(int node, Ticket ticket, Outcome outcome) {
    if (isPenalty(ticket)) {
      nodes.faults().penaltyEnded(node);
      return;
    }
    counters.count(outcome.counter());
    long now = clock.nanoTime();
    long response = 0;
    if (outcome == Outcome.ANSWERED) {
      response = now - ticket.sentNanos;
      timed.answered(ticket.messageId, now);
    }
    log.ended(outcome, node, ticket.costNanos, response, now, state);
    long outer = guard.stalls().enter(now);
    try {
      reportAll(node, ticket, outcome, response);
    } finally {
      guard.stalls().leave(outer);
    }
    if (gate != null) {
      gate.look();
    }
  }

  /**
   * Reports to each receiver even if another one fails; the ticket is closed in any case, and so
   * are the other tickets of a sweep.
   */
  private void reportAll(int node, Ticket ticket, Outcome outcome, long response) {
    try {
      copier.ends().ended(this, ticket.messageId, node, outcome, ticket.sentNanos);
    } catch (Throwable t) {
      guard.fault("the copies of a read", t);
    }
    try {
      ties.ended(this, ticket.messageId, node, outcome, ticket.sentNanos);
    } catch (Throwable t) {
      guard.fault("the tie of a read", t);
    }
    try {
      reportToSelector(node, ticket, outcome, response);
    } catch (Throwable t) {
      guard.fault("the selector", t);
    }
    if (outcome == Outcome.ANSWERED) {
      try {
        strategy.planner().heard(node, ticket.sentNanos + response);
      } catch (Throwable t) {
        guard.fault("the planner", t);
      }
    }
  }

  private void reportToSelector(int node, Ticket ticket, Outcome outcome, long response) {
    switch (outcome) {
      case ANSWERED -> {
        nodes.faults().answered(node);
        hops.answered(node, response);
        holds.retries().succeeded();
        strategy.selector().answered(node, ticket.costNanos, response, state);
      }
      case FAILED -> strategy.selector().failed(node, ticket.costNanos);
      case TIMED_OUT -> strategy.selector().timedOut(node, ticket.costNanos);
      case CANCELLED -> strategy.selector().cancelled(node, ticket.costNanos);
    }
  }
}
