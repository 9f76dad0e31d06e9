/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.facts.FactColumn;

/**
 * {@code select.low}: least outstanding work, that is the coordinator's own forecast of the service
 * time it has outstanding at a node, the reads already planned for the same request included.
 *
 * <p>Source: ours; {@code select.lor} weighted by forecast, so that one large read counts for what
 * it costs and not as one. A node that is dearer to reach counts as if the price of the hop were
 * queued there: reads stay at home until the wait there exceeds it. Without prices, as in the
 * simulator, every node is as near as any other.
 */
public final class LowSelector extends ScoredSelector {
  @Override
  long score(Request request, int node, ClusterView view) {
    return view.outstandingWorkNanos(node)
        + request.plannedWorkNanos(node)
        + view.value(FactColumn.HOP_PRICE, node);
  }

  @Override
  public boolean actsWithoutQueue() {
    return false;
  }
}
