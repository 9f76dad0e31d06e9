/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.top;

import dev.manx.load.connect.Member;
import dev.manx.load.connect.NodeException;
import dev.manx.operate.canary.LatencyCounts;
import dev.manx.operate.look.NodeState;
import java.util.Map;

/**
 * A sample of a node.
 *
 * @param node its state
 * @param busy latencies of requests while reads waited somewhere, as counted by the node so far;
 *     empty if the node does not report them
 * @param refusal the reason why the user may not read the latencies; empty if permitted
 */
record Look(NodeState node, LatencyCounts busy, String refusal) {

  /** Creates a sample without latencies. */
  static Look of(NodeState node) {
    return new Look(node, new LatencyCounts(), "");
  }

  /** Reads a node. Never throws for an error of the node. */
  static Look read(Member member) {
    return of(NodeState.read(member), member::rows);
  }

  static Look of(NodeState node, NodeState.Question question) {
    Look look = of(node);
    if (!node.isPresent()) {
      return look;
    }
    try {
      for (Map<String, Object> row :
          question.rows(
              "SELECT pressure, acted_buckets, control_buckets FROM manx.latency"
                  + " WHERE name = 'all'")) {
        if ("busy".equals(row.get("pressure"))) {
          look.busy().add(buckets(row.get("acted_buckets")));
          look.busy().add(buckets(row.get("control_buckets")));
        }
      }
      return look;
    } catch (NodeException e) {
      // An earlier version, or a user without permission: everything else is shown.
      return new Look(
          node,
          new LatencyCounts(),
          e.kind() == NodeException.Kind.FORBIDDEN
              ? "P99 ms is not known: GRANT SELECT ON TABLE manx.latency TO the user"
              : "");
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<Long, Long> buckets(Object value) {
    return value == null ? Map.of() : (Map<Long, Long>) value;
  }
}
