/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.report.ReportData.Timeline;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Finds times at which a line of a timeline has no value although other lines of its arm, load and
 * round have one, such as the P99 of a second without an answer. A line must not cross such times.
 */
final class Gaps {
  /** The lines that were sampled together. */
  private record Turn(String arm, String load, String block) {
    static Turn of(Timeline line) {
      return new Turn(line.arm(), line.load(), line.block());
    }
  }

  private Gaps() {}

  /** The lines, with points of the value NaN at such times. */
  static List<Timeline> mark(List<Timeline> lines) {
    Map<Turn, TreeSet<Double>> sampled = new LinkedHashMap<>();
    for (Timeline line : lines) {
      TreeSet<Double> seconds = sampled.computeIfAbsent(Turn.of(line), turn -> new TreeSet<>());
      line.points().forEach(point -> seconds.add(point.seconds()));
    }
    return lines.stream().map(line -> mark(line, sampled.get(Turn.of(line)))).toList();
  }

  private static Timeline mark(Timeline line, TreeSet<Double> sampled) {
    List<Timeline.Point> points = line.points();
    // Lines may have different intervals, and samples at nearly the same time.
    double step = step(points);
    List<Timeline.Point> marked = new ArrayList<>();
    for (int i = 0; i < points.size(); i++) {
      if (i > 0) {
        double from = points.get(i - 1).seconds() + step / 2;
        double to = points.get(i).seconds() - step / 2;
        if (from < to) {
          sampled
              .subSet(from, false, to, false)
              .forEach(seconds -> marked.add(new Timeline.Point(seconds, Double.NaN)));
        }
      }
      marked.add(points.get(i));
    }
    return new Timeline(
        line.metric(), line.arm(), line.entity(), line.load(), line.block(), List.copyOf(marked));
  }

  /** The usual time between two points. */
  private static double step(List<Timeline.Point> points) {
    double[] steps = new double[Math.max(0, points.size() - 1)];
    for (int i = 0; i < steps.length; i++) {
      steps[i] = points.get(i + 1).seconds() - points.get(i).seconds();
    }
    Arrays.sort(steps);
    return steps.length == 0 ? 0 : steps[steps.length / 2];
  }
}
