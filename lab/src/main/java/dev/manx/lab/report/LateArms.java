/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.experiment.LateSends;
import dev.manx.lab.experiment.LatencyStatistic;
import dev.manx.lab.report.ReportData.Result;
import dev.manx.workload.result.RowKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The warning about arms whose latencies are partly the load generator's delay. */
final class LateArms {
  private LateArms() {}

  /** A sentence for a load; empty if no arm's requests were sent late. */
  static Optional<String> warning(ReportData data, String load) {
    List<String> late = new ArrayList<>();
    for (String arm : data.arms()) {
      double lagUs = data.metric(LateSends.METRIC, arm, RowKey.ALL, load, "").value();
      data.result(arm, RowKey.ALL, load)
          .map(LateArms::medianUs)
          .filter(medianUs -> LateSends.matter(lagUs, medianUs))
          .ifPresent(
              medianUs ->
                  late.add(
                      "%s\u00a0ms with %s (P50 %s\u00a0ms)"
                          .formatted(Format.ms(lagUs), arm, Format.ms(medianUs))));
    }
    return late.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "The load generator sent requests late, and latencies include its delay: the P99 of the"
                + " delay was "
                + Sentences.join(late)
                + ", more than a tenth of the median latency. Lower the load, or run the generator"
                + " on cores that the nodes do not use.");
  }

  private static double medianUs(Result result) {
    return result.latencies().get(LatencyStatistic.P50).value();
  }
}
