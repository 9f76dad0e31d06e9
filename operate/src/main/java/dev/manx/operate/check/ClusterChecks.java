/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import dev.manx.operate.check.AskedNode.Right;
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
    ByNode given = nodes.where(node -> node.right() == Right.GIVEN);
    ByNode missing = nodes.where(node -> node.right() == Right.MISSING);
    ByNode unknown = nodes.where(node -> node.right() == Right.UNKNOWN);
    if (!given.isEmpty()) {
      found.ok(given.names(), "this user may switch Manx");
    }
    if (!missing.isEmpty()) {
      found.warning(
          missing.names(),
          "this user may read but not switch Manx",
          "A superuser can grant it: GRANT MODIFY ON TABLE manx.strategy TO the user");
    }
    if (!unknown.isEmpty()) {
      found.warning(
          unknown.names(),
          "did not answer whether this user may switch Manx",
          "Repeat the check, with a longer --timeout if the node is slow.");
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
