/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.canary;

import dev.manx.load.connect.Member;
import dev.manx.load.connect.NodeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One node's histograms of requests with and without Manx.
 *
 * @param node its address
 * @param rows of {@code manx.latency}, limited to times when reads waited somewhere
 * @param why why there are none; empty if there are
 */
record Compared(String node, List<Row> rows, String why) {
  /**
   * Requests of a table and a number of keys.
   *
   * @param table {@code keyspace.table}, {@code all} or {@code other}
   * @param keys the number of keys, such as {@code 21-100}
   */
  record Row(String table, int fromKeys, String keys, Group with, Group without) {}

  /**
   * The requests of a group.
   *
   * @param buckets latencies of those that were answered or timed out
   * @param timedOut number of those that timed out; null if the node's version does not count them
   * @param failed number of those that failed otherwise; null likewise
   */
  record Group(Map<Long, Long> buckets, Long timedOut, Long failed) {
    static Group of(Map<String, Object> row, String name) {
      return new Group(
          Compared.buckets(row.get(name + "_buckets")),
          (Long) row.get(name + "_timed_out"),
          (Long) row.get(name + "_failed"));
    }
  }

  /** Reads a node. Never throws for an error of the node. */
  static Compared read(Member member) {
    String node = member.address().brief();
    try {
      List<Row> rows = new ArrayList<>();
      for (Map<String, Object> row : member.rows("SELECT * FROM manx.latency")) {
        if (!row.containsKey("acted_buckets")) {
          return new Compared(
              node, List.of(), "its Manx is of a version whose latencies cannot be added up");
        }
        // In a calm period Manx changes nothing, so there is nothing to compare.
        if ("busy".equals(row.get("pressure"))) {
          rows.add(
              new Row(
                  String.valueOf(row.get("name")),
                  (Integer) row.get("from_keys"),
                  String.valueOf(row.get("keys")),
                  Group.of(row, "acted"),
                  Group.of(row, "control")));
        }
      }
      return new Compared(node, rows, "");
    } catch (NodeException e) {
      String why =
          switch (e.kind()) {
            case ABSENT -> "Manx, or its table manx.latency, is not on this node";
            case FORBIDDEN ->
                "this user may not see its latencies: GRANT SELECT ON TABLE manx.latency TO the"
                    + " user; "
                    + e.getMessage();
            case UNREACHABLE, UNANSWERED -> "unreachable: " + e.getMessage();
            case REFUSED -> e.getMessage();
          };
      return new Compared(node, List.of(), why);
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<Long, Long> buckets(Object value) {
    return value == null ? Map.of() : (Map<Long, Long>) value;
  }
}
