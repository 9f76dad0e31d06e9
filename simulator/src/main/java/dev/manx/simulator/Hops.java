/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.facts.HopMeter;
import dev.manx.simulator.ModelSpec.Trouble;

/**
 * One coordinator's prices of distant nodes, measured as {@code HopPrices} does on a node without
 * reads at home. Confined to one thread.
 */
final class Hops {
  private static final long WINDOW_NANOS = 1_000_000_000;

  private final HopMeter meter;
  private final int nodes;
  private final long readThreads;
  private long windowEndNanos = WINDOW_NANOS;

  private Hops(ModelSpec model) {
    nodes = model.nodes();
    readThreads = model.readThreads();
    // The coordinator counts as one more node.
    meter = new HopMeter(nodes + 1);
  }

  /** The prices for a model; null if its nodes are always equally near. */
  static Hops of(ModelSpec model) {
    boolean far = model.faults().stream().anyMatch(fault -> fault.trouble() == Trouble.FAR);
    return far ? new Hops(model) : null;
  }

  void answered(int node, long responseNanos) {
    meter.answered(node, responseNanos);
  }

  /** Sets the price of every node, once a second. */
  void tick(View view, long nowNanos) {
    if (nowNanos < windowEndNanos) {
      return;
    }
    windowEndNanos = nowNanos + WINDOW_NANOS;
    meter.roll();
    for (int node = 0; node < nodes; node++) {
      long nanos = meter.hopNanos(node, nodes, nodes) * readThreads;
      view.apply(
          FactColumn.HOP_PRICE, node, Math.min(FactColumn.HOP_PRICE.most(), nanos), nowNanos);
    }
  }
}
