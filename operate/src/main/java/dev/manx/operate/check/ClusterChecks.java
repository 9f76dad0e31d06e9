/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import dev.manx.operate.look.NodeState.Manx;
import java.util.List;

/** All checks of a running cluster. */
final class ClusterChecks {
  private ClusterChecks() {}

  static Findings of(List<AskedNode> asked) {
    Findings found = new Findings();
    ByNode nodes = new ByNode(asked, asked.size());
    EngineChecks.look(nodes, found);
    nodes
        .where(node -> node.state().manx() == Manx.HIDDEN)
        .by(node -> node.state().why())
        .forEach(
            (why, some) ->
                found.error(
                    some.names(),
                    why,
                    "A superuser can grant it: GRANT SELECT ON TABLE manx.strategy (and"
                        + " manx.counters, manx.hooks, manx.latency, manx.replicas,"
                        + " manx.decision_log) TO the user"));
    ByNode present = nodes.where(node -> node.state().isPresent());
    if (!present.isEmpty()) {
      ManxChecks.look(present, found);
      permission(present, found);
      hidden(present, found);
    }
    return found;
  }

  private static void permission(ByNode nodes, Findings found) {
    ByNode may = nodes.where(AskedNode::maySwitch);
    ByNode mayNot = nodes.where(node -> !node.maySwitch());
    if (!may.isEmpty()) {
      found.ok(may.names(), "this user may switch Manx");
    }
    if (!mayNot.isEmpty()) {
      found.warning(
          mayNot.names(),
          "this user may read but not switch Manx",
          "A superuser can grant it: GRANT MODIFY ON TABLE manx.strategy TO the user");
    }
  }

  private static void hidden(ByNode nodes, Findings found) {
    for (OtherTable table : OtherTable.values()) {
      ByNode without = nodes.where(node -> node.hidden().contains(table));
      if (!without.isEmpty()) {
        found.warning(
            without.names(),
            "this user may not read " + table.table() + ": " + table.loss(),
            "A superuser can grant it: GRANT SELECT ON TABLE " + table.table() + " TO the user");
      }
    }
  }
}
