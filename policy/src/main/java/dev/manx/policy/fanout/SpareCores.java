/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Values;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.facts.FactColumn;
import java.util.concurrent.TimeUnit;

/**
 * Decides which nodes have the CPU for a copy, from the fact {@code cores}. A copy costs its node
 * two messages, even if it is cancelled before it starts. Where reads wait for storage, that is
 * cheap. Where the cores are busy, it lengthens the queue that it should shorten, and a longer
 * queue sends more copies. Immutable; any thread.
 */
/*
 * The node of the copy decides, not the one where the read waits: a read that waits at a node whose
 * cores a compaction has taken is best passed on to an idle one.
 */
final class SpareCores {
  static final Setting MOST =
      Setting.share(
          "most-cores",
          0.75,
          0.01,
          1,
          "share of a node's cores in use beyond which no copy goes to it; below 100% the strategy"
              + " exchanges the fact cores, listed or not; the simulator does not apply it");

  private static final double ALL = 1_000;
  private static final long STALE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final double most;

  /**
   * @param most share of the cores in use, above 0; 1 for no bound
   */
  SpareCores(double most) {
    this.most = most;
  }

  static SpareCores of(Values settings) {
    return new SpareCores(settings.real("most-cores"));
  }

  /** Whether a node has spare cores; true if it has not reported them lately. */
  boolean at(int node, ClusterView view, long nowNanos) {
    return view.value(FactColumn.CORES_IN_USE, node) <= most * ALL
        || view.ageNanos(FactColumn.CORES_IN_USE, node, nowNanos) > STALE_NANOS;
  }
}
