/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.policy.Copies;
import dev.manx.policy.fanout.FanoutPlanner;
import dev.manx.policy.oracle.SizeOracle;
import dev.manx.policy.select.Selector;

/**
 * Ends the reads of one coordinator by answers, time-outs and cancellations, from which its
 * strategy learns. Confined to one thread.
 */
final class ReadEnds {
  private final World world;
  private final Coordinator coordinator;
  private final Selector selector;
  private final FanoutPlanner planner;
  private final View view;
  private final boolean knowsFacts;
  private final boolean cancelsHedged;

  /** Null if all nodes are always equally near, or nothing is selected. */
  private final Hops hops;

  ReadEnds(World world, Coordinator coordinator, Hops hops, boolean knowsFacts) {
    this.world = world;
    this.coordinator = coordinator;
    this.hops = hops;
    this.knowsFacts = knowsFacts;
    selector = coordinator.strategy.selector();
    planner = coordinator.strategy.planner();
    view = coordinator.view;
    cancelsHedged = planner.cancelling().hedged();
  }

  /** Receives an answer and processes it when a core is free. */
  void heard(Read read) {
    if (coordinator.cpu == null) {
      answered(read);
      return;
    }
    long now = world.calendar.now();
    long due = coordinator.cpu.heard(now);
    if (due > now) {
      coordinator.cpu.await(due, World.ANSWERED, read.index);
    } else {
      answered(read);
    }
  }

  /** Handles the time at which an answer may have been read. */
  void answerRead(Read read) {
    if (coordinator.cpu.ends(World.ANSWERED, read.index)) {
      answered(read);
    }
  }

  private void answered(Read read) {
    world.cameBack();
    long now = world.calendar.now();
    Twins twins = read.twins;
    boolean first = twins == null || !twins.answered;
    if (knowsFacts) {
      receiveFacts(read);
    }
    if (read.ticketOpen) {
      close(read);
      selector.answered(read.node, read.forecastNanos, now - read.sentNanos, view);
      if (hops != null) {
        hops.answered(read.node, now - read.sentNanos);
      }
    }
    if (twins != null && twins.isPassedOn(read)) {
      // As on nodes: the read's first replica had passed it on, which a stalled replica cannot do.
      planner.heard(twins.copyNode(read), twins.firstSentNanos);
    }
    planner.heard(read.node, now);
    if (world.credits != null) {
      world.credits.answered(planner, read);
    }
    if (first) {
      SizeOracle sizes = coordinator.strategy.sizes();
      if (sizes != null) {
        sizes.learn(null, read.keyHash, read.bytes);
      }
      if (twins != null) {
        twins.answered = true;
        planner.answered(twins.rank, now - twins.firstSentNanos, twins.copied);
        giveUp(twins.other(read), twins.rule());
      } else if (read.quorum == null) {
        // As on nodes, planners of copies do not learn from reads at several replicas.
        planner.answered(read.priority, now - read.sentNanos, false);
      }
      ended(read);
    } else if (twins.tied()) {
      planner.copyWasted();
    }
    over(read);
    coordinator.drain();
  }

  /** Gives up the other copy of a read that was answered or failed, if the rule allows it. */
  private void giveUp(Read other, Copies rule) {
    if (other == null || rule == Copies.SPECULATIVE || rule == Copies.HEDGED && !cancelsHedged) {
      return;
    }
    if (other.ticketOpen) {
      close(other);
      selector.cancelled(other.node, other.forecastNanos);
    }
    if (other.isOver) {
      forget(other);
    } else if (rule == Copies.HEDGED) {
      world.cancel(other);
    }
  }

  private void close(Read read) {
    read.ticketOpen = false;
    view.closed(read.node, read.forecastNanos);
  }

  private void receiveFacts(Read read) {
    long age = world.model.feedback().extraAgeNanos();
    if (age == 0) {
      learn(read);
    } else {
      read.holds++;
      world.calendar.at(world.calendar.now() + age, World.FACTS, read.index);
    }
  }

  /** Stores the facts of an answer. */
  void learn(Read read) {
    long now = world.calendar.now();
    for (int column : world.columns) {
      view.apply(column, read.node, read.facts[column], now);
    }
  }

  /** Handles a read lost by a dead node: without a message, it ends at its time-out. */
  void lost(Read read) {
    long due = Math.max(world.calendar.now(), read.sentNanos + world.model.timeoutNanos());
    world.calendar.at(due, World.TIMEOUT, read.index);
  }

  void timedOut(Read read) {
    world.cameBack();
    if (read.ticketOpen) {
      close(read);
      selector.timedOut(read.node, read.forecastNanos);
    }
    Twins twins = read.twins;
    if (twins == null || (twins.open == 1 && !twins.answered)) {
      read.flight.failed = true;
      if (twins != null) {
        twins.answered = true;
        giveUp(twins.other(read), twins.rule());
      }
      ended(read);
    }
    over(read);
    coordinator.drain();
  }

  /** Handles a copy cancelled before it was served; the answer informs the coordinator. */
  void cancelled(Read read) {
    world.cameBack();
    if (read.ticketOpen) {
      read.isOver = true;
      read.twins.open--;
    } else {
      over(read);
    }
  }

  /** Ends the path of a copy. */
  private void over(Read read) {
    read.isOver = true;
    if (read.twins != null) {
      read.twins.open--;
    }
    forget(read);
  }

  private void forget(Read read) {
    if (read.twins != null) {
      read.twins.forget(read);
    }
    world.pool.release(read);
  }

  /** Records that a read was answered or failed; the last outstanding one ends the request. */
  private void ended(Read read) {
    if (read.quorum != null && !read.quorum.isLast()) {
      return;
    }
    Flight flight = read.flight;
    flight.open--;
    Read next = flight.waiting;
    if (next != null) {
      flight.waiting = next.after;
      coordinator.release(next);
    }
    if (read.twins != null || flight.due != null) {
      coordinator.copier.readEnded(read.twins, flight);
    }
    if (flight.open == 0) {
      world.requestEnded(flight);
    }
  }
}
