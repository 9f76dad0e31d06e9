/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.fanout.CongestionMeter;
import dev.manx.policy.fanout.CreditController;
import dev.manx.policy.fanout.Credits;
import dev.manx.policy.fanout.FanoutPlanner;
import dev.manx.policy.fanout.Settlement;
import dev.manx.policy.strategy.Strategy;

/**
 * Carries demands, credits and congestion signals between coordinators, replicas and the one
 * controller of {@code fanout.brb-credits}. The messages take no time: the network's delay is
 * negligible compared with an interval of a second.
 */
final class CreditExchange {
  private final World world;
  private final CreditController controller;
  private final CongestionMeter[] meters;
  private final Settlement[] settlements;

  /** Whether nodes report service times, by which credits are settled. */
  private final boolean settles;

  private final long[] demand;
  private final double[] credit;
  final long intervalNanos;

  private CreditExchange(World world, Credits credits, boolean reportsServiceTimes) {
    this.world = world;
    int nodes = world.model.nodes();
    controller = credits.newController(world.model.coordinators(), nodes);
    intervalNanos = credits.intervalNanos();
    demand = new long[nodes];
    credit = new double[nodes];
    meters = new CongestionMeter[nodes];
    settlements = new Settlement[nodes];
    for (int node = 0; node < nodes; node++) {
      meters[node] = credits.newMeter();
      settlements[node] = new Settlement();
    }
    settles = reportsServiceTimes;
  }

  /** The exchange of a strategy; null if it has no credits. */
  static CreditExchange of(World world, Strategy strategy) {
    Credits credits = strategy.planner().credits();
    boolean reports =
        strategy.facts().wired().stream()
            .anyMatch(fact -> fact.columns().contains(FactColumn.SERVICE_TIME));
    return credits == null ? null : new CreditExchange(world, credits, reports);
  }

  /** Records that a read reached a replica. */
  void arrived(int node, long costNanos, long nowNanos) {
    long workNanos = Math.round(costNanos * settlements[node].factor());
    if (meters[node].arrived(workNanos, nowNanos)) {
      controller.congested(node);
    }
  }

  /** Records that a replica has served a read. */
  void served(int node, Read read) {
    if (settles) {
      settlements[node].served(read.costNanos, read.servedNanos);
    }
  }

  /** Records that a coordinator knows how long a read was served. */
  void answered(FanoutPlanner planner, Read read) {
    if (settles) {
      planner.served(read.node, read.costNanos, read.servedNanos);
    }
  }

  /** Ends an interval. */
  void exchange(long nowNanos) {
    for (int i = 0; i < world.coordinators.length; i++) {
      world.coordinators[i].strategy.planner().credits().takeDemand(demand);
      controller.demand(i, demand);
    }
    controller.adapt();
    for (int i = 0; i < world.coordinators.length; i++) {
      controller.credits(i, credit);
      world.coordinators[i].strategy.planner().credits().grant(credit, nowNanos);
      world.coordinators[i].drain();
    }
  }
}
