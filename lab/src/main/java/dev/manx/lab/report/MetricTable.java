/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import static dev.manx.workload.result.RowKey.ALL;

import dev.manx.lab.experiment.Measured;
import dev.manx.lab.experiment.Saturation;
import dev.manx.lab.report.ReportData.Metric;
import dev.manx.lab.stats.Bootstrap;
import dev.manx.lab.stats.Estimate;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** The metrics.csv values of each arm over all seeds and rounds. */
final class MetricTable {
  private final List<Metric> lines;

  MetricTable(List<MetricRow> rows, Bootstrap bootstrap) {
    lines = lines(rows, bootstrap);
  }

  /** One line per metric, arm, class, load and swept parameters, in the order of the file. */
  List<Metric> lines() {
    return lines;
  }

  /** 0..1, or NaN if it was not measured. */
  double utilisation(String arm, String load) {
    return overall(arm, load, Saturation.UTILISATION).orElse(Double.NaN) / 100;
  }

  boolean saturated(String arm, String load) {
    return Saturation.of(load, metric -> overall(arm, load, metric));
  }

  boolean grows(String arm, String load) {
    return Saturation.grows(metric -> overall(arm, load, metric));
  }

  private static List<Metric> lines(List<MetricRow> rows, Bootstrap bootstrap) {
    Map<List<String>, List<MetricRow>> groups = new LinkedHashMap<>();
    for (MetricRow row : rows) {
      if (row.metric().equals(Measured.Mark.METRIC)) {
        continue;
      }
      RowKey key = row.key();
      groups
          .computeIfAbsent(
              List.of(row.metric(), key.load(), key.requestClass(), row.params(), key.arm()),
              k -> new ArrayList<>())
          .add(row);
    }
    List<Metric> lines = new ArrayList<>();
    groups.forEach(
        (key, group) ->
            lines.add(
                new Metric(
                    key.get(4),
                    key.get(2),
                    key.get(1),
                    key.get(3),
                    key.get(0),
                    value(group, bootstrap))));
    return List.copyOf(lines);
  }

  private OptionalDouble overall(String arm, String load, String metric) {
    return lines.stream()
        .filter(
            line ->
                line.name().equals(metric)
                    && line.params().isEmpty()
                    && line.arm().equals(arm)
                    && line.load().equals(load)
                    && line.requestClass().equals(ALL))
        .mapToDouble(line -> line.value().value())
        .filter(value -> !Double.isNaN(value))
        .findFirst();
  }

  /** The row over all seeds and rounds; if the run wrote none, the median over rounds. */
  private static Estimate value(List<MetricRow> group, Bootstrap bootstrap) {
    double[] rounds =
        group.stream().filter(row -> row.key().isRound()).mapToDouble(MetricRow::value).toArray();
    return group.stream()
        .filter(row -> row.key().isPooled())
        .findFirst()
        .map(row -> new Estimate(row.value(), row.lo(), row.hi(), rounds.length))
        .orElseGet(() -> bootstrap.median(rounds));
  }
}
