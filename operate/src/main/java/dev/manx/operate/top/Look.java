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
 */
record Look(NodeState node, LatencyCounts busy) {

  /** Creates a sample without latencies. */
  static Look of(NodeState node) {
    return new Look(node, new LatencyCounts());
  }

  /** Reads a node. Never throws for an error of the node. */
  static Look read(Member member) {
    Look look = of(NodeState.read(member));
    if (!look.node().isPresent()) {
      return look;
    }
    try {
      for (Map<String, Object> row :
          member.rows(
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
      return of(look.node());
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<Long, Long> buckets(Object value) {
    return value == null ? Map.of() : (Map<Long, Long>) value;
  }
}
