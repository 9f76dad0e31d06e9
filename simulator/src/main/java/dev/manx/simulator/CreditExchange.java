/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.policy.fanout.CongestionMeter;
import dev.manx.policy.fanout.CreditController;
import dev.manx.policy.fanout.Credits;
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
  private final long[] demand;
  private final double[] credit;
  final long intervalNanos;

  private CreditExchange(World world, Credits credits) {
    this.world = world;
    int nodes = world.model.nodes();
    controller = credits.newController(world.model.coordinators(), nodes);
    intervalNanos = credits.intervalNanos();
    demand = new long[nodes];
    credit = new double[nodes];
    meters = new CongestionMeter[nodes];
    for (int node = 0; node < nodes; node++) {
      meters[node] = credits.newMeter();
    }
  }

  /** The exchange of a strategy; null if it has no credits. */
  static CreditExchange of(World world, Strategy strategy) {
    Credits credits = strategy.planner().credits();
    return credits == null ? null : new CreditExchange(world, credits);
  }

  /** Records that a read reached a replica. */
  void arrived(int node, long costNanos, long nowNanos) {
    if (meters[node].arrived(costNanos, nowNanos)) {
      controller.congested(node);
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
