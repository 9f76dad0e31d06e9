/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import static dev.manx.workload.result.RowKey.ALL;

import dev.manx.lab.experiment.Measured;
import dev.manx.lab.experiment.Params;
import dev.manx.lab.experiment.PhaseMetric;
import dev.manx.lab.report.GoalMisses.Goal;
import dev.manx.lab.report.ReportData.Timeline;
import dev.manx.simulator.cache.Slo;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowKey;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The marks on timelines: rows of metrics.csv with the metric {@code mark}, the experiment's goals,
 * and the disturbances of backends. docs/measure/result-files.md states the rules.
 */
final class Annotations {
  /** A timeline of these metrics is 1 during a disturbance of a backend and 0 otherwise. */
  static final Set<String> PHASES =
      Arrays.stream(PhaseMetric.values())
          .map(PhaseMetric::label)
          .collect(Collectors.toUnmodifiableSet());

  private static final double NONE = Double.NaN;
  private static final List<Goal> NO_GOAL = List.of();

  /**
   * One mark.
   *
   * @param fromSeconds start; NaN for a level
   * @param toSeconds end; NaN for a single moment or a level
   * @param level a value of the metric; NaN for a moment or a window
   * @param metric its only timeline, or empty for all
   * @param arm its only arm, or {@code all}
   * @param requestClass its only class, or {@code all}
   * @param load its only load, or {@code all}
   * @param block its only round, or {@code all}
   */
  record Mark(
      String label,
      double fromSeconds,
      double toSeconds,
      double level,
      String metric,
      String arm,
      String requestClass,
      String load,
      String block) {
    Mark labelled(String other) {
      return new Mark(other, fromSeconds, toSeconds, level, metric, arm, requestClass, load, block);
    }
  }

  private Annotations() {}

  /**
   * The distinct marks among the rows; those without {@code from} or {@code level} are ignored.
   *
   * @param block the label of a row's round
   */
  static List<Mark> of(List<MetricRow> rows, Function<RowKey, String> block) {
    Set<Mark> marks = new LinkedHashSet<>();
    for (MetricRow row : rows) {
      if (!row.metric().equals(Measured.Mark.METRIC)) {
        continue;
      }
      Map<String, String> params = Params.of(row.params());
      RowKey key = row.key();
      boolean everyRound = key.seed().equals(ALL) || key.round().equals(ALL);
      Mark mark =
          new Mark(
              params.getOrDefault(Measured.Mark.LABEL, ""),
              number(params, Measured.Mark.FROM),
              number(params, Measured.Mark.TO),
              number(params, "level"),
              params.getOrDefault("metric", ""),
              key.arm(),
              key.requestClass(),
              key.load(),
              everyRound ? ALL : block.apply(key));
      if (!Double.isNaN(mark.fromSeconds()) || !Double.isNaN(mark.level())) {
        marks.add(mark);
      }
    }
    return List.copyOf(marks);
  }

  private static double number(Map<String, String> params, String name) {
    return Params.number(params, name).orElse(Double.NaN);
  }

  /** A level on the timeline of each percentile that has a goal. */
  static List<Mark> ofGoals(List<MetricRow> rows, List<Timeline> timelines) {
    Set<String> drawn = timelines.stream().map(Timeline::metric).collect(Collectors.toSet());
    Set<Mark> marks = new LinkedHashSet<>();
    for (MetricRow row : rows) {
      for (Goal goal : row.metric().equals(Slo.MISSED) ? GoalMisses.read(row.params()) : NO_GOAL) {
        String metric = goal.percentile() + "_ms";
        if (drawn.contains(metric)) {
          String label = "goal " + Format.compact(goal.ms()) + " ms";
          marks.add(
              new Mark(label, NONE, NONE, goal.ms(), metric, ALL, ALL, row.key().load(), ALL));
        }
      }
    }
    return List.copyOf(marks);
  }

  /** A window for each time in which a timeline of {@link #PHASES} is not 0. */
  static List<Mark> ofPhases(List<Timeline> timelines) {
    // Simultaneous marks share one label.
    Map<Mark, String> words = new LinkedHashMap<>();
    for (Timeline timeline : timelines) {
      if (PHASES.contains(timeline.metric())) {
        phases(timeline)
            .forEach(mark -> words.merge(mark, timeline.metric(), (a, b) -> a + ", " + b));
      }
    }
    return words.entrySet().stream()
        .map(entry -> entry.getKey().labelled(entry.getKey().label() + " " + entry.getValue()))
        .toList();
  }

  /** Marks labelled by the entity. */
  private static Set<Mark> phases(Timeline timeline) {
    Set<Mark> marks = new LinkedHashSet<>();
    double from = NONE;
    for (Timeline.Point point : timeline.points()) {
      if (point.value() > 0 && Double.isNaN(from)) {
        from = point.seconds();
      } else if (point.value() == 0 && !Double.isNaN(from)) {
        marks.add(phase(timeline, from, point.seconds()));
        from = NONE;
      }
    }
    if (!Double.isNaN(from)) {
      double end = timeline.points().get(timeline.points().size() - 1).seconds();
      marks.add(phase(timeline, from, end));
    }
    return marks;
  }

  private static Mark phase(Timeline timeline, double from, double to) {
    String load = timeline.load().isEmpty() ? ALL : timeline.load();
    return new Mark(
        timeline.entity(), from, to, NONE, "", timeline.arm(), ALL, load, timeline.block());
  }
}
