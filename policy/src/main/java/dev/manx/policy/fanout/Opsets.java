/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.select.Selector;

/**
 * Chooses replicas together for all reads of a request with the same replicas, as in Rein, BRB and
 * TailX: one sub-request to one node for each replica group. Stateless; allocates nothing.
 *
 * <p>The selector ranks for the first read of a group, in the order of assignment, and the others
 * follow it. With longest-first, the first read is the group's costliest.
 */
final class Opsets {
  private Opsets() {}

  /** Ranks and assigns every read; a group's first read is ranked, the rest get its ranking. */
  static void rankAndAssign(Request request, Selector selector, ClusterView view) {
    request.noLeaders();
    int[] order = request.order();
    int[] groups = request.groups();
    for (int i = 0, n = request.reads(); i < n; i++) {
      int read = order[i];
      int leader = request.leader(read);
      if (leader == read) {
        Plans.rank(request, read, groups, selector, view);
      } else {
        System.arraycopy(
            request.replicas(),
            request.replicaStart(leader),
            request.replicas(),
            request.replicaStart(read),
            request.replicaCount(read));
      }
      request.assign(read);
    }
  }
}
