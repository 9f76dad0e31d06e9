/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.Map;
import java.util.TreeMap;

/** A coordinator's counts of copies and faults since the creation of this object. */
final class CopyCounts {
  private final ThreeNodes nodes;
  private final int node;
  private final Map<String, Long> before;

  CopyCounts(ThreeNodes nodes, int node) {
    this.nodes = nodes;
    this.node = node;
    before = counters();
  }

  private Map<String, Long> counters() {
    Map<String, Long> counters = new TreeMap<>();
    nodes
        .table(node, "manx.counters", "value")
        .forEach((name, value) -> counters.put(name, Long.valueOf(value)));
    return counters;
  }

  /** By name of the counter. */
  Map<String, Long> counted() {
    Map<String, Long> counted = new TreeMap<>();
    counters()
        .forEach(
            (name, value) -> {
              if (name.startsWith("copies_") || name.equals("faults")) {
                counted.put(name, value - before.get(name));
              }
            });
    return counted;
  }

  /** Waits until no read is outstanding and every copy has come to exactly one end. */
  void haveEnded() {
    Node coordinator = nodes.admin().nodes().get(node);
    Waiting.until(
        "nothing is outstanding",
        () ->
            nodes.admin().rows(coordinator, "SELECT * FROM manx.replicas").stream()
                .allMatch(row -> Integer.valueOf(0).equals(row.get("outstanding_reads"))));
    // A read leaves the tables before its end is counted.
    Waiting.until("every copy has come to one end, " + counted(), () -> isBalance(counted()));
    assertThat(counted().get("faults")).isZero();
    awaitNoneUnderWay(nodes, node);
  }

  private static boolean isBalance(Map<String, Long> counted) {
    return counted.get("copies_sent")
        == counted.get("copies_won")
            + counted.get("copies_wasted")
            + counted.get("copies_failed")
            + counted.get("copies_lost");
  }

  /** Waits until no copy of a coordinator is under way. */
  static void awaitNoneUnderWay(ThreeNodes nodes, int node) {
    Waiting.until(
        "no copy is under way",
        () ->
            nodes
                .table(node, "manx.strategy", "value")
                .get("copies.under-way")
                .startsWith("0 of "));
  }
}
