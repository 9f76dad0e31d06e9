/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.stats.Estimate;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The meaning of the two ends next to the values of a report. */
enum Ends {
  /** Each value has enough rounds for an interval. */
  INTERVALS("95 % interval"),
  /** No value has enough rounds for an interval. */
  RANGES("range of the rounds"),
  /** Cases or points have different numbers of rounds. */
  BOTH("95 % interval; of fewer than " + Estimate.MIN_ROUNDS + " rounds, their range");

  private final String words;

  Ends(String words) {
    this.words = words;
  }

  /** In the middle or at the end of a sentence. */
  String words() {
    return words;
  }

  /**
   * The word in front of the ends of a value, if not all of the report's ends are ranges; empty for
   * none. A metric may be of fewer rounds than the latencies, which decide this meaning.
   */
  String before(Estimate value) {
    return this != RANGES && isRange(value) ? "range " : "";
  }

  /**
   * Whether the ends of a value are a range. The ends of a result without rows of its rounds are
   * those that its run computed.
   */
  static boolean isRange(Estimate value) {
    return value.rounds() > 0 && value.isRange();
  }

  /** The ends of a result and its sweeps; single rounds have no ends. */
  static Ends of(List<ReportData.Result> results, List<Sweep> sweeps) {
    Set<Boolean> ranges =
        Stream.concat(
                results.stream().flatMap(result -> result.latencies().values().stream()),
                sweeps.stream()
                    .flatMap(sweep -> sweep.lines().stream())
                    .flatMap(line -> line.points().values().stream()))
            .filter(value -> value.rounds() > 1 && !Double.isNaN(value.lo()))
            .map(Ends::isRange)
            .collect(Collectors.toSet());
    if (ranges.size() > 1) {
      return BOTH;
    }
    return ranges.isEmpty() || ranges.contains(true) ? RANGES : INTERVALS;
  }
}
