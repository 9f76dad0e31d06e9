/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.top;

import dev.manx.load.connect.Member;
import dev.manx.load.connect.NodeException;
import dev.manx.operate.canary.LatencyCounts;
import dev.manx.operate.look.NodeState;
import java.util.Map;
import java.util.Optional;

/**
 * A sample of a node.
 *
 * @param node its state
 * @param busy latencies of requests while reads waited somewhere, as counted by the node so far;
 *     empty if they are not known
 * @param refusal the reason why they are not known; empty if the node does not count them
 */
record Look(NodeState node, Optional<LatencyCounts> busy, String refusal) {

  /** Creates a sample without latencies. */
  static Look of(NodeState node) {
    return new Look(node, Optional.empty(), "");
  }

  /** Reads a node. Never throws for an error of the node. */
  static Look read(Member member) {
    return of(NodeState.read(member), member::rows);
  }

  static Look of(NodeState node, NodeState.Question question) {
    if (!node.isPresent()) {
      return of(node);
    }
    try {
      LatencyCounts busy = new LatencyCounts();
      for (Map<String, Object> row :
          question.rows(
              "SELECT pressure, acted_buckets, control_buckets FROM manx.latency"
                  + " WHERE name = 'all'")) {
        if ("busy".equals(row.get("pressure"))) {
          busy.add(buckets(row.get("acted_buckets")));
          busy.add(buckets(row.get("control_buckets")));
        }
      }
      return new Look(node, Optional.of(busy), "");
    } catch (NodeException e) {
      return new Look(node, Optional.empty(), refusal(e));
    }
  }

  /** Everything else is shown; an earlier version of Manx has no latencies. */
  private static String refusal(NodeException e) {
    return switch (e.kind()) {
      case ABSENT -> "";
      case FORBIDDEN -> "P99 ms is not known: GRANT SELECT ON TABLE manx.latency TO the user";
      case UNREACHABLE, UNANSWERED, REFUSED ->
          "P99 ms is not known: manx.latency: " + e.getMessage();
    };
  }

  @SuppressWarnings("unchecked")
  private static Map<Long, Long> buckets(Object value) {
    return value == null ? Map.of() : (Map<Long, Long>) value;
  }
}
