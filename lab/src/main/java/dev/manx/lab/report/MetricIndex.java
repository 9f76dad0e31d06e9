/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import static dev.manx.workload.result.RowKey.ALL;

import dev.manx.lab.experiment.Measured;
import dev.manx.lab.experiment.Pooling;
import dev.manx.lab.experiment.Saturation;
import dev.manx.lab.report.ReportData.Metric;
import dev.manx.lab.stats.Bootstrap;
import dev.manx.lab.stats.Estimate;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/** The metrics.csv values of each arm over all seeds and rounds, by place. Immutable. */
final class MetricIndex {
  /**
   * A class of an arm at a load and a point of a sweep.
   *
   * @param params of the point; empty for the experiment without changes
   */
  record Place(String arm, String requestClass, String load, String params) {
    /** The place of all requests there. */
    Place ofAll() {
      return new Place(arm, ALL, load, params);
    }
  }

  private final List<Metric> lines;
  private final Map<Place, Map<String, Estimate>> places = new LinkedHashMap<>();

  MetricIndex(List<MetricRow> rows, Bootstrap bootstrap) {
    lines = lines(rows, bootstrap);
    for (Metric line : lines) {
      places
          .computeIfAbsent(line.place(), place -> new LinkedHashMap<>())
          .put(line.name(), line.value());
    }
  }

  /** One line per metric, arm, class, load and swept parameters, in the order of the file. */
  List<Metric> lines() {
    return lines;
  }

  /** The places with metrics, in the order of the file. */
  Set<Place> places() {
    return Collections.unmodifiableSet(places.keySet());
  }

  /** A metric; {@link Estimate#NONE} if it was not measured. */
  Estimate find(Place place, String metric) {
    return places.getOrDefault(place, Map.of()).getOrDefault(metric, Estimate.NONE);
  }

  /** A metric's value, if it was measured. */
  OptionalDouble value(Place place, String metric) {
    double value = find(place, metric).value();
    return Double.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  /** The marks of a class or, where it has no marks, those of all requests. */
  PointMarks marks(Place place) {
    return own(place).or(own(place.ofAll()));
  }

  private PointMarks own(Place place) {
    return PointMarks.of(place.load(), metric -> value(place, metric));
  }

  /** 0..1, or NaN if it was not measured. */
  double utilisation(String arm, String load) {
    return value(new Place(arm, ALL, load, ""), Saturation.UTILISATION).orElse(Double.NaN) / 100;
  }

  boolean saturated(String arm, String load) {
    return own(new Place(arm, ALL, load, "")).saturated();
  }

  boolean grows(String arm, String load) {
    return Saturation.grows(metric -> value(new Place(arm, ALL, load, ""), metric));
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

  /** The row over all seeds and rounds; if the run wrote none, the rounds' values pooled. */
  private static Estimate value(List<MetricRow> group, Bootstrap bootstrap) {
    double[] rounds =
        group.stream().filter(row -> row.key().isRound()).mapToDouble(MetricRow::value).toArray();
    return group.stream()
        .filter(row -> row.key().isPooled())
        .findFirst()
        .map(row -> new Estimate(row.value(), row.lo(), row.hi(), rounds.length))
        .orElseGet(() -> Pooling.of(group.get(0).metric()).pooled(rounds, bootstrap));
  }
}
