/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.canary;

import dev.manx.load.connect.Cluster;
import dev.manx.load.connect.Member;
import dev.manx.operate.look.NodeState;
import java.util.List;

/** The evidence of a cluster's canaries so far. */
public final class Evidence {
  private Evidence() {}

  /**
   * Asks the nodes; does not ask if none has a canary.
   *
   * @param nodes those whose states these are, in the same order
   * @param tables whether each table has lines of its own
   * @return lines for people; none where there is no canary
   */
  public static List<String> of(
      Cluster cluster, List<Member> nodes, List<NodeState> states, boolean tables) {
    if (states.stream().noneMatch(NodeState::isCanary)) {
      return List.of();
    }
    return EvidenceText.of(states, cluster.ask(nodes, Compared::read), tables);
  }
}
