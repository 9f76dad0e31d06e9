/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.experiment.Measured;
import dev.manx.lab.experiment.Params;
import dev.manx.lab.report.ReportData.Metric;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The warning about points of a sweep at which requests failed. */
final class FailedPoints {
  private static final int MOST_NAMED = 5;

  private FailedPoints() {}

  /**
   * The points of a load, and those with a load that the experiment has only there; empty if no
   * request is known to have failed.
   */
  static Optional<String> warning(ReportData data, String load) {
    Map<String, List<String>> arms = new LinkedHashMap<>();
    for (Metric metric : data.metrics()) {
      boolean elsewhere = !data.loads().contains(metric.load());
      if (metric.name().equals(Measured.FAILED)
          && !metric.params().isEmpty()
          && metric.value().value() > 0
          && (metric.load().equals(load) || elsewhere)) {
        arms.computeIfAbsent(point(metric, elsewhere), point -> new ArrayList<>())
            .add(metric.arm() + " " + Format.compact(metric.value().value()) + "\u00a0%");
      }
    }
    if (arms.isEmpty()) {
      return Optional.empty();
    }
    List<String> points = new ArrayList<>();
    arms.forEach((point, failed) -> points.add(point + ": " + String.join(", ", failed)));
    int others = points.size() - MOST_NAMED;
    return Optional.of(
        "Requests failed, timed out or were not sent at "
            + Format.plural(points.size(), "point")
            + " of a sweep, and may be missing among the latencies ("
            + String.join("; ", points.subList(0, Math.min(MOST_NAMED, points.size())))
            + (others > 0 ? "; and " + others + " more" : "")
            + ").");
  }

  private static String point(Metric metric, boolean elsewhere) {
    String requestClass = metric.requestClass().equals("all") ? "" : metric.requestClass() + ", ";
    return requestClass
        + Params.shortly(metric.params())
        + (elsewhere ? " at " + metric.load() : "");
  }
}
