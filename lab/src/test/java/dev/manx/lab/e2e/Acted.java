/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The counts of three nodes during a period: whether the parts of Manx were active. */
final class Acted {
  private static final List<String> TROUBLE = List.of("faults", "breaker_opened", "policies_stuck");

  private final ThreeNodes nodes;
  private final String what;
  private final Map<String, Long> counted = new TreeMap<>();
  private Map<String, Long> before;

  /**
   * Does not start counting yet.
   *
   * @param what name of the period, for messages
   */
  Acted(ThreeNodes nodes, String what) {
    this.nodes = nodes;
    this.what = what;
  }

  /** Starts counting. */
  void begin() {
    before = sums();
  }

  /** Adds the counts since the start. */
  void end() {
    sums().forEach((name, sum) -> counted.merge(name, sum - before.get(name), Long::sum));
  }

  private Map<String, Long> sums() {
    Map<String, Long> sums = new TreeMap<>();
    for (int node = 0; node < 3; node++) {
      nodes
          .table(node, "manx.counters", "value")
          .forEach((name, value) -> sums.merge(name, Long.parseLong(value), Long::sum));
    }
    return sums;
  }

  /** The count of a name in {@code manx.counters}, of all nodes together. */
  long of(String name) {
    return counted.get(name);
  }

  /** Whether each of these happened. */
  boolean saw(List<String> names) {
    return names.stream().allMatch(name -> counted.getOrDefault(name, 0L) > 0);
  }

  /** Prints how often each of these happened, and checks that it did, without any fault. */
  void check(List<String> names) {
    System.out.println(
        names.stream()
            .map(name -> name + " " + counted.get(name))
            .collect(Collectors.joining(", ", what + ": ", "")));
    for (String name : names) {
      assertThat(of(name)).as(name + " of " + what).isPositive();
    }
    for (String trouble : TROUBLE) {
      assertThat(of(trouble)).as(trouble + " of " + what).isZero();
    }
  }
}
