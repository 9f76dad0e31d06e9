/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.workload.result.Histograms;
import dev.manx.workload.result.RowKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/** The results of a round, all arms in one line, shown during an experiment. */
final class FirstResults {
  /** Largest number of arms in a line. */
  private static final int MOST_ARMS = 5;

  private final Map<String, Histogram> nanos = new LinkedHashMap<>();

  void add(String arm, Measured measured) {
    nanos.put(arm, measured.first().nanos());
  }

  /**
   * {@code round 1 of 8, 61 s: stock P50 469 ms P99 3439 ms; manx P50 13.0 ms P99 704 ms}; then
   * clears the results.
   *
   * @param point the point of the round, with the arms in the file's order
   */
  <S, P> String line(Point<S, P> point, int round, long seconds) {
    List<String> measured =
        point.arms().stream()
            .map(Arm::name)
            .filter(arm -> nanos.containsKey(arm) && nanos.get(arm).getTotalCount() > 0)
            .toList();
    String words =
        measured.stream()
            .limit(MOST_ARMS)
            .map(arm -> arm + " P50 " + ms(nanos.get(arm), 50) + " P99 " + ms(nanos.get(arm), 99))
            .collect(Collectors.joining("; "));
    String which = point.requestClass().equals(RowKey.ALL) ? "" : ", " + point.requestClass();
    nanos.clear();
    return "round %d of %d%s, %d s: %s%s"
        .formatted(
            round,
            point.rounds(),
            which,
            seconds,
            words,
            measured.size() > MOST_ARMS ? "; ..." : "");
  }

  private static String ms(Histogram nanos, double percentile) {
    double ms = Histograms.percentileUs(nanos, percentile) / 1e3;
    return String.format(Locale.ROOT, ms < 100 ? "%.1f ms" : "%.0f ms", ms);
  }
}
