/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.own;

import dev.manx.operate.look.NodeState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The state of Manx on the user's nodes before a run. All turns must find the same state: an arm in
 * mode off differs on a node without Manx, and at its end the run restores the state that it found.
 */
final class OwnConditions {
  /** The rows of {@code manx.strategy} that operators switch and that act on requests. */
  private static final List<String> ROWS = List.of("mode", "document", "calm-after");

  private OwnConditions() {}

  /** The conditions by node and name. */
  static Map<String, String> of(List<NodeState> before) {
    Map<String, String> conditions = new LinkedHashMap<>();
    for (NodeState node : before) {
      conditions.put(name(node, "Manx"), node.isPresent() ? node.version() : "not installed");
      if (node.isPresent()) {
        ROWS.forEach(row -> conditions.put(name(node, row), node.row(row)));
      }
    }
    return conditions;
  }

  private static String name(NodeState node, String what) {
    return node.node() + ": " + (what.equals("document") ? "strategy" : what);
  }
}
