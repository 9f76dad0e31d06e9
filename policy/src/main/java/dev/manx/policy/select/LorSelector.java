/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.spi.PolicyInfo;

/**
 * {@code select.lor}: least outstanding reads of this coordinator, the reads already planned for
 * the same request included.
 *
 * <p>Source: common load-balancer rule, analysed in C3 (NSDI'15) section 2. Deviation: planned
 * reads count, since a request's reads are all ranked before the first is sent.
 */
final class LorSelector extends ScoredSelector {
  static final PolicyInfo POLICY =
      PolicyInfo.named("select.lor", "least outstanding reads of this coordinator")
          .source("load balancers; C3 (NSDI'15) section 2")
          .make(s -> new LorSelector());

  @Override
  long score(Request request, int read, int node, ClusterView view) {
    return (long) view.outstandingReads(node) + request.plannedReads(node);
  }

  @Override
  public boolean actsWithoutQueue() {
    return false;
  }
}
