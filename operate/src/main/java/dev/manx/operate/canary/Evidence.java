/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.canary;

import dev.manx.load.connect.Cluster;
import dev.manx.load.connect.Member;
import dev.manx.operate.look.NodeState;
import java.util.List;

/** The evidence from a cluster's canaries so far. */
public final class Evidence {
  private Evidence() {}

  /**
   * Reads the nodes, unless none has a canary.
   *
   * @param nodes the nodes with these states, in the same order
   * @param tables whether to add lines for each table
   * @return lines for the terminal; empty without a canary
   */
  public static List<String> of(
      Cluster cluster, List<Member> nodes, List<NodeState> states, boolean tables) {
    if (states.stream().noneMatch(NodeState::isCanary)) {
      return List.of();
    }
    return EvidenceText.of(states, cluster.ask(nodes, Compared::read), tables);
  }
}
