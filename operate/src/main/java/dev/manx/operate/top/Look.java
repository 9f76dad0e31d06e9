/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.top;

import dev.manx.load.connect.Member;
import dev.manx.load.connect.NodeException;
import dev.manx.operate.canary.Latencies;
import dev.manx.operate.look.NodeState;
import java.util.Map;

/**
 * One look at a node.
 *
 * @param node its state
 * @param busy how long requests took while reads waited somewhere, as the node counted them so far;
 *     empty where the node does not say
 */
record Look(NodeState node, Latencies busy) {

  /** A look without latencies. */
  static Look of(NodeState node) {
    return new Look(node, new Latencies());
  }

  /** Asks a node. Never throws for what it answers. */
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
      // An earlier version, or a user who may not see them: the rest is shown.
      return of(look.node());
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<Long, Long> buckets(Object value) {
    return value == null ? Map.of() : (Map<Long, Long>) value;
  }
}
