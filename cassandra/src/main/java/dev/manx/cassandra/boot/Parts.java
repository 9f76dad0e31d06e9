/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.Engine.Outcome;
import dev.manx.cassandra.control.Breaker;
import dev.manx.cassandra.control.Counters;
import dev.manx.cassandra.control.Guard;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.control.QueueWatch;
import dev.manx.cassandra.copy.Copier;
import dev.manx.cassandra.hold.Holds;
import dev.manx.cassandra.latency.TimedReads;
import dev.manx.cassandra.message.NodeMessages;
import dev.manx.cassandra.metrics.RequestMeasures;
import dev.manx.cassandra.nodes.Nodes;
import dev.manx.cassandra.record.LogHost;
import dev.manx.cassandra.record.RecordConfig;
import dev.manx.cassandra.record.RecordingSwitch;
import dev.manx.cassandra.tied.Ties;
import dev.manx.cassandra.wire.FactsPace;
import dev.manx.cassandra.wire.Signs;
import dev.manx.policy.NanoClock;
import dev.manx.policy.facts.ClusterState;
import dev.manx.policy.facts.HopMeter;
import dev.manx.policy.facts.LocalLoad;
import dev.manx.policy.facts.Ticket;
import dev.manx.policy.fanout.Credits;
import dev.manx.policy.select.HomeFirst;
import dev.manx.policy.strategy.Strategy;
import org.apache.cassandra.utils.FBUtilities;

/** The parts that live as long as the node, whatever its mode and strategy. Any thread. */
final class Parts {
  final NanoClock clock = System::nanoTime;
  final Counters counters = new Counters();
  final LocalLoad load = new LocalLoad();
  final TimedReads timed;
  final Breaker breaker;
  final Guard guard;
  final Nodes nodes;
  final ClusterState state;
  final QueueWatch queues;
  final HopMeter hops;
  final HomeFirst home;
  final Signs signs;
  final FactsPace pace;
  final RequestMeasures measures;
  final RecordingSwitch recorder;
  private final int self;
  private volatile PluginConfig config;

  /**
   * Creates the parts; nothing acts yet.
   *
   * @param breakerOpened called on the failing thread each time the breaker opens
   */
  Parts(PluginConfig config, RecordConfig recording, Runnable breakerOpened) {
    this.config = config;
    breaker =
        new Breaker(
            config.breakerFailures(), config.breakerWindowNanos(), config.breakerRetryNanos());
    guard = new Guard(counters, breaker, clock, breakerOpened);
    nodes = new Nodes(config.nodes());
    state = new ClusterState(config.nodes(), config.outstanding(), nodes::identity);
    timed = new TimedReads(state.tickets().capacity());
    queues = new QueueWatch(config.calmAfterNanos(), clock.nanoTime());
    hops = new HopMeter(config.nodes());
    home = new HomeFirst(config.nodes());
    signs = new Signs(config.nodes());
    pace = new FactsPace(config.nodes(), signs);
    measures = RequestMeasures.of(config.canary(), config.metricsTables());
    self = nodes.id(FBUtilities.getBroadcastAddressAndPort());
    recorder =
        new RecordingSwitch(
            recording,
            counters,
            new LogHost(
                FBUtilities.getBroadcastAddressAndPort().getHostAddressAndPort(),
                config.nodes(),
                nodes::names,
                Engine::readThreads,
                clock));
  }

  /** The settings in force, without those that can be switched on a running node. */
  PluginConfig config() {
    return config;
  }

  /** All settings in force. */
  PluginConfig now(Mode mode) {
    return config.with(mode, queues.calmAfterNanos(), measures.canary().config());
  }

  /** Applies other settings, as far as they need no restart; the next engine uses them. */
  void take(PluginConfig next) {
    config = next.withFixedOf(config);
    breaker.configure(next.breakerFailures(), next.breakerWindowNanos(), next.breakerRetryNanos());
    measures.requests().mostTables(next.metricsTables());
    if (!next.canary().equals(measures.canary().config())) {
      measures.canary(next.canary());
    }
    if (next.calmAfterNanos() != queues.calmAfterNanos()) {
      queues.calmAfter(next.calmAfterNanos(), clock.nanoTime());
    }
  }

  /** Creates an engine from these parts. */
  Engine engine(
      Mode mode, Strategy strategy, Copier copier, Ties ties, Holds holds, NodeMessages messages) {
    Credits credits = strategy.planner().credits();
    if (credits != null) {
      // No credits are granted yet, or those granted belong to an earlier engine.
      credits.suspend();
    }
    return new Engine(
        mode,
        config,
        strategy,
        state,
        load,
        nodes,
        SnitchHook.stock(),
        self,
        clock,
        counters,
        guard,
        recorder.of(strategy.document(), mode),
        queues,
        hops,
        home,
        signs,
        pace,
        timed,
        copier,
        ties,
        holds,
        mode == Mode.ON ? holds.gate(strategy.newGate(), state, guard) : null,
        messages,
        measures);
  }

  /** Closes all tickets, since the ends of their reads will no longer be seen. */
  void cancelAll() {
    for (int node = 0; node < nodes.used(); node++) {
      state.tickets().closeNode(node, this::cancelled);
    }
  }

  /** Counts a ticket closed without an engine. */
  void cancelled(Ticket ticket) {
    if (Engine.isPenalty(ticket)) {
      nodes.faults().penaltyEnded(ticket.node);
    } else {
      counters.count(Outcome.CANCELLED.counter());
    }
  }
}
