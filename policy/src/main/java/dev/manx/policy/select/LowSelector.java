/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;

/**
 * {@code select.low}: least outstanding work, that is the coordinator's own forecast of the service
 * time it has outstanding at a node, the reads already planned for the same request included.
 *
 * <p>Source: ours; {@code select.lor} weighted by forecast, so that one large read counts for what
 * it costs and not as one.
 */
public final class LowSelector extends ScoredSelector {
  @Override
  long score(Request request, int node, ClusterView view) {
    return view.outstandingWorkNanos(node) + request.plannedWorkNanos(node);
  }
}
