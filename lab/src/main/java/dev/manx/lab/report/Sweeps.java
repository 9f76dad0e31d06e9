/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.experiment.Measured;
import dev.manx.lab.experiment.Params;
import dev.manx.lab.experiment.Saturation;
import dev.manx.lab.experiment.SweepPoint;
import dev.manx.lab.report.MetricIndex.Place;
import dev.manx.lab.report.ReportData.Metric;
import dev.manx.lab.report.ReportData.Result;
import dev.manx.lab.stats.Estimate;
import dev.manx.policy.config.ConfigNode;
import dev.manx.workload.result.RowKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the possible curves: over loads, and over parameters swept in metrics.csv.
 * docs/measure/result-files.md states the rules.
 */
final class Sweeps {
  /** The name of the loads as a parameter. */
  static final String LOAD = "load";

  /** The name of the experiment without the point, in a chart of a named point. */
  static final String AS_IN_THE_FILE = "as in the file";

  private static final int FEWEST_LOADS = 3;
  private static final int FEWEST_NUMBERS = 3;

  /** The place of one value. */
  private record Cell(
      Map<String, String> params, String arm, String requestClass, String load, String metric) {
    String label(String parameter) {
      return params.get(parameter);
    }

    /** This cell under another label, for all loads. */
    Cell alwaysShown(String parameter, String label) {
      Map<String, String> renamed = new LinkedHashMap<>(params);
      renamed.put(parameter, label);
      return new Cell(renamed, arm, requestClass, "", metric);
    }
  }

  /** One value, and the marks of its arm there. */
  private record Value(Estimate estimate, PointMarks marks) {}

  private final List<Result> results;
  private final MetricIndex metrics;
  private final List<String> loads;
  private final ExperimentFile experiment;

  private Sweeps(
      List<Result> results, MetricIndex metrics, List<String> loads, ExperimentFile experiment) {
    this.results = results;
    this.metrics = metrics;
    this.loads = loads;
    this.experiment = experiment;
  }

  static List<Sweep> of(
      List<Result> results, MetricIndex metrics, List<String> loads, ExperimentFile experiment) {
    return new Sweeps(results, metrics, loads, experiment).all();
  }

  private List<Sweep> all() {
    List<Sweep> all = new ArrayList<>();
    if (loads.size() >= FEWEST_LOADS) {
      all.add(overLoads());
    }
    Map<Set<String>, List<Metric>> groups = new LinkedHashMap<>();
    for (Metric metric : metrics.lines()) {
      Map<String, String> params = Params.of(metric.params());
      if (!params.isEmpty() && !metric.name().equals(Measured.Mark.METRIC)) {
        groups
            .computeIfAbsent(new TreeSet<>(params.keySet()), names -> new ArrayList<>())
            .add(metric);
      }
    }
    groups.forEach((names, group) -> all.addAll(overParameters(names, group)));
    return List.copyOf(all);
  }

  private Sweep overLoads() {
    Map<Cell, Value> cells = new LinkedHashMap<>();
    for (Result result : results) {
      values(result)
          .forEach(
              (metric, value) ->
                  cells.put(
                      new Cell(
                          Map.of(LOAD, result.load()),
                          result.arm(),
                          result.requestClass(),
                          "",
                          metric),
                      new Value(value, PointMarks.of(result))));
    }
    return sweep(LOAD, "", Scale.of(loads), cells);
  }

  /** Every parameter of a group whose values form an axis, once for each setting of the others. */
  private List<Sweep> overParameters(Set<String> names, List<Metric> group) {
    Map<Cell, Value> cells = new LinkedHashMap<>(asInTheFile(names, group));
    for (Metric metric : group) {
      Metric shown = PointMetrics.shown(metric);
      Map<String, String> params = Params.of(metric.params());
      cells.put(
          new Cell(params, metric.arm(), metric.requestClass(), metric.load(), shown.name()),
          new Value(shown.value(), metrics.marks(metric.place())));
    }
    List<Sweep> sweeps = new ArrayList<>();
    for (String name : names) {
      Map<String, Map<Cell, Value>> byOthers = new LinkedHashMap<>();
      cells.forEach(
          (cell, value) ->
              byOthers
                  .computeIfAbsent(
                      Params.without(cell.params(), name), others -> new LinkedHashMap<>())
                  .put(cell, value));
      List<String> ordered = new ArrayList<>(byOthers.keySet());
      for (String other : names) {
        if (!other.equals(name)) {
          sort(ordered, other, byOthers);
        }
      }
      ordered.forEach(
          others -> {
            Map<Cell, Value> own = byOthers.get(others);
            Scale scale = scale(name, own);
            if (isAxis(name, scale)) {
              Map<Cell, Value> shown = atOtherLoads(name, scale, own);
              sweeps.add(sweep(name, others, scale(name, shown), shown));
            }
          });
    }
    return sweeps;
  }

  /**
   * Sorts settings of the other parameters by one of them: as the experiment's sweep lists its
   * values, or by size if the experiment's own value is not in that list.
   */
  private void sort(
      List<String> ordered, String parameter, Map<String, Map<Cell, Value>> byOthers) {
    Map<String, String> labels = new LinkedHashMap<>();
    byOthers.forEach(
        (others, cells) -> labels.put(others, cells.keySet().iterator().next().label(parameter)));
    List<String> listed =
        experiment
            .top()
            .flatMap(top -> top.find("sweep"))
            .filter(sweep -> sweep.isMapping() && sweep.names().contains(parameter))
            .map(sweep -> sweep.at(parameter).items().stream().map(ConfigNode::text).toList())
            .orElse(List.of());
    Map<String, Double> bySize = Scale.of(new LinkedHashSet<>(labels.values())).positions();
    boolean isListed = listed.containsAll(labels.values());
    ordered.sort(
        Comparator.comparingDouble(
            others -> {
              String label = labels.get(others);
              return isListed ? listed.indexOf(label) : bySize.get(label);
            }));
  }

  private static Scale scale(String parameter, Map<Cell, Value> cells) {
    Set<String> labels = new LinkedHashSet<>();
    cells.keySet().forEach(cell -> labels.add(cell.label(parameter)));
    return Scale.of(labels);
  }

  /**
   * The page chooses among the loads of the experiment. A point with a load of its own is shown
   * with each of them, and its label contains its load.
   */
  private Map<Cell, Value> atOtherLoads(String parameter, Scale scale, Map<Cell, Value> cells) {
    Set<String> all = new LinkedHashSet<>();
    cells.keySet().forEach(cell -> all.add(cell.load()));
    // Numbers keep their axis if all of them are of one load.
    boolean named = scale.kind() == Scale.Kind.NAMES || all.size() > 1;
    Map<Cell, Value> shown = new LinkedHashMap<>();
    cells.forEach(
        (cell, value) -> {
          String label = cell.label(parameter);
          boolean told = !named || cell.load().equals(RowKey.ALL) || label.contains(cell.load());
          shown.put(
              loads.contains(cell.load())
                  ? cell
                  : cell.alwaysShown(parameter, told ? label : label + ", " + cell.load()),
              value);
        });
    return shown;
  }

  private boolean isAxis(String name, Scale scale) {
    return experiment.swept().contains(name)
        ? scale.places() > 1
        : scale.kind() != Scale.Kind.NAMES && scale.places() >= FEWEST_NUMBERS;
  }

  /**
   * The parameters of a group that the sweep changes, with the file's own values, in the order of
   * the column. The others belong to the metric itself, such as a goal or a backend.
   */
  private Map<String, Optional<String>> ownSettings(Set<String> names, List<Metric> group) {
    boolean isDeclared = names.stream().anyMatch(experiment.swept()::contains);
    Map<String, Optional<String>> settings = new LinkedHashMap<>();
    for (String name : Params.of(group.get(0).params()).keySet()) {
      Optional<String> value =
          name.equals(SweepPoint.POINT) ? Optional.of(AS_IN_THE_FILE) : experiment.text(name);
      if (isDeclared ? experiment.swept().contains(name) : value.isPresent()) {
        settings.put(name, value);
      }
    }
    return settings;
  }

  /** The measurement without the sweep as another of its values, if the file gives that value. */
  private Map<Cell, Value> asInTheFile(Set<String> names, List<Metric> group) {
    Map<Cell, Value> cells = new LinkedHashMap<>();
    Map<String, Optional<String>> settings = ownSettings(names, group);
    if (settings.isEmpty() || !settings.values().stream().allMatch(Optional::isPresent)) {
      return cells;
    }
    Map<String, String> params = new LinkedHashMap<>();
    settings.forEach((name, value) -> params.put(name, value.orElseThrow()));
    Set<String> own = new TreeSet<>(names);
    own.removeAll(params.keySet());
    Set<String> swept = new LinkedHashSet<>();
    Set<String> classes = new LinkedHashSet<>();
    for (Metric metric : group) {
      swept.add(PointMetrics.shown(metric).name());
      classes.add(metric.requestClass());
    }
    Map<Place, PointMarks> marks = new LinkedHashMap<>();
    for (Result result : results) {
      String requestClass = result.requestClass();
      PointMarks here = PointMarks.of(result);
      marks.put(new Place(result.arm(), requestClass, result.load(), ""), here);
      if (own.isEmpty() && classes.contains(requestClass)) {
        values(result)
            .forEach(
                (metric, value) -> {
                  if (swept.contains(metric)) {
                    cells.put(
                        new Cell(params, result.arm(), requestClass, result.load(), metric),
                        new Value(value, here));
                  }
                });
      }
    }
    for (Metric metric : metrics.lines()) {
      Map<String, String> itsOwn = Params.of(metric.params());
      if (itsOwn.keySet().equals(own)
          && swept.contains(metric.name())
          && classes.contains(metric.requestClass())) {
        Place place = new Place(metric.arm(), metric.requestClass(), metric.load(), "");
        PointMarks here = marks.getOrDefault(place, PointMarks.NONE);
        PointMarks all = marks.getOrDefault(place.ofAll(), PointMarks.NONE);
        Map<String, String> both = new LinkedHashMap<>(params);
        both.putAll(itsOwn);
        cells.put(
            new Cell(both, metric.arm(), metric.requestClass(), metric.load(), metric.name()),
            new Value(metric.value(), here.or(all)));
      }
    }
    return cells;
  }

  private static Map<String, Estimate> values(Result result) {
    Map<String, Estimate> values = new LinkedHashMap<>();
    result
        .latencies()
        .forEach((statistic, us) -> values.put(PointMetrics.name(statistic), PointMetrics.ms(us)));
    values.put(Measured.THROUGHPUT, result.throughput());
    values.put(Saturation.UTILISATION, PointMetrics.percent(result.utilisation(), result));
    values.put(Measured.FAILED, PointMetrics.percent(result.failedShare(), result));
    values.values().removeIf(value -> !value.exists());
    return values;
  }

  private static Sweep sweep(String parameter, String others, Scale scale, Map<Cell, Value> cells) {
    Map<Cell, Map<String, Value>> lines = new LinkedHashMap<>();
    Set<String> named = new LinkedHashSet<>();
    cells.forEach(
        (cell, value) -> {
          Cell line =
              new Cell(Map.of(), cell.arm(), cell.requestClass(), cell.load(), cell.metric());
          // One position under two names is one point: the sweep's value is kept.
          String label = cell.label(parameter);
          Map<String, Value> points = lines.computeIfAbsent(line, k -> new LinkedHashMap<>());
          points
              .keySet()
              .removeIf(other -> scale.positions().get(other).equals(scale.positions().get(label)));
          points.put(label, value);
          named.add(cell.metric());
        });
    List<Sweep.Line> all = new ArrayList<>();
    lines.forEach(
        (line, points) -> {
          Map<String, Estimate> sorted = new LinkedHashMap<>();
          Map<String, PointMarks> marks = new LinkedHashMap<>();
          for (String label : scale.labels()) {
            if (points.containsKey(label)) {
              sorted.put(label, points.get(label).estimate());
              if (!points.get(label).marks().words().isEmpty()) {
                marks.put(label, points.get(label).marks());
              }
            }
          }
          all.add(
              new Sweep.Line(
                  line.arm(), line.requestClass(), line.load(), line.metric(), sorted, marks));
        });
    return new Sweep(parameter, others, scale, PointMetrics.sorted(named), List.copyOf(all));
  }
}
