/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.Engine.Outcome;
import dev.manx.cassandra.control.ReplaceableThread;
import dev.manx.policy.facts.Ticket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.cassandra.concurrent.Stage;

/**
 * The timer's work, some ten times a second: expires tickets, runs the strategy's tick, and once a
 * second prices hops, checks which nodes are without Manx and forgets nodes that left, the latter
 * in any mode. It runs policy code, so it has a separate thread.
 */
final class Ticker {
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int TICKS_PER_SECOND = 10;

  private final Parts parts;
  private final Supplier<Engine> engines;
  private final Runnable closeEnded;
  private final Runnable sweep;
  private final Conversations conversations;
  // Runs nothing else, so that a policy that blocks in its tick does not delay a switch.
  private final ReplaceableThread timer;
  private final HostCores cores = HostCores.ofThisJvm();
  // Used by the timer only.
  private int ticks;

  /**
   * @param engines the present engine; null while Manx is off
   * @param closeEnded closes the tickets of nodes that died, restarted or left
   * @param sweep forgets the nodes that left and the tables that were dropped
   * @param conversations messages to other nodes with Manx
   */
  Ticker(
      Parts parts,
      Supplier<Engine> engines,
      Runnable closeEnded,
      Runnable sweep,
      Conversations conversations) {
    this.parts = parts;
    this.engines = engines;
    this.closeEnded = closeEnded;
    this.sweep = sweep;
    this.conversations = conversations;
    timer =
        new ReplaceableThread(
            "manx-timer", parts.clock, this::tick, () -> LockSupport.parkNanos(this, TICK_NANOS));
  }

  /** Ensures that a thread ticks, even if the last one died or hangs. */
  void ensure() {
    timer.ensure();
  }

  private void tick(long now) {
    Engine acting = engines.get();
    long outer = parts.guard.stalls().enter(now);
    try {
      closeEnded.run();
      parts.state.tickets().expire(now, ticket -> expired(acting, ticket));
      int threads = Stage.READ.executor().getMaximumPoolSize();
      if (acting != null) {
        // Other nodes are assumed to have as many read threads as this one.
        acting.strategy().planner().servedAtOnce(threads);
        acting.strategy().tick(parts.state, parts.nodes.used(), now);
        acting.strategy().facts().applyLocal(parts.load, parts.state, acting.self(), now);
        conversations.tick(acting, now);
      }
      parts.queues.tick(
          parts.load.completedReads(),
          parts.load.serviceNanos(),
          parts.load.workAheadNanos() > 0,
          threads,
          now);
      if (parts.nodes.faults().anyPenalty()) {
        // A node fails its reads: choosing replicas helps clients although no read waits.
        parts.queues.seen(now);
      }
      parts.load.waitsForCores(parts.queues.waitsForCores(now));
      if (ticks++ % TICKS_PER_SECOND == 0) {
        second(acting, now);
      }
      if (acting == null) {
        parts.home.clear();
        // The cores are measured only while Manx acts; an old share must not be reported after
        // that.
        parts.load.coresInUse(-1);
      }
    } catch (Throwable t) {
      VmErrors.fault(parts.guard, "the timer", t);
    } finally {
      parts.guard.stalls().leave(outer);
    }
  }

  private void second(Engine acting, long now) {
    if (acting != null) {
      acting.signs().look(PeerEvents.near(acting), acting.nodes().known().values(), now);
    }
    // Nodes also leave while Manx is off.
    sweep.run();
    if (acting != null) {
      conversations.second(acting);
      HopPrices.renew(acting, now);
      double share = cores.inUse(now);
      parts.queues.cores(share);
      parts.load.coresInUse(share);
    }
  }

  private void expired(Engine acting, Ticket ticket) {
    if (acting != null) {
      acting.ended(ticket.node, ticket, Outcome.TIMED_OUT);
      if (!Engine.isPenalty(ticket)) {
        parts.queues.seen(parts.clock.nanoTime());
      }
    } else {
      parts.cancelled(ticket);
    }
  }
}
