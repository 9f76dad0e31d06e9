/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.run;

import dev.manx.lab.experiment.Arm;
import dev.manx.workload.result.Histograms;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** A first result while an experiment goes on: what a round gave, arm by arm, in one line. */
final class RoundWords {
  /** More arms than these do not fit into a line. */
  private static final int MOST_ARMS = 5;

  private RoundWords() {}

  /**
   * {@code round 1 of 8, 61 s: stock P50 469 ms P99 3439 ms; manx P50 13.0 ms P99 704 ms}.
   *
   * @param arms in the file's order
   * @param latencies nanoseconds of all requests of the round, by arm; arms without are left out
   */
  static String of(String round, long seconds, List<Arm> arms, Map<String, Histogram> latencies) {
    List<String> words = new ArrayList<>();
    for (Arm arm : arms) {
      Histogram nanos = latencies.get(arm.name());
      if (nanos != null && nanos.getTotalCount() > 0 && words.size() < MOST_ARMS) {
        words.add(arm.name() + " P50 " + ms(nanos, 50) + " P99 " + ms(nanos, 99));
      }
    }
    if (latencies.size() > MOST_ARMS) {
      words.add("...");
    }
    return round + ", " + seconds + " s: " + String.join("; ", words);
  }

  private static String ms(Histogram nanos, double percentile) {
    double ms = Histograms.percentileUs(nanos, percentile) / 1e3;
    return String.format(Locale.ROOT, ms < 100 ? "%.1f ms" : "%.0f ms", ms);
  }
}
