/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import static dev.manx.workload.result.RowKey.ALL;

import dev.manx.lab.experiment.LatencyStatistic;
import dev.manx.lab.experiment.WrongResults;
import dev.manx.lab.report.ReportData.Comparison;
import dev.manx.lab.report.ReportData.Result;
import dev.manx.lab.stats.Bootstrap;
import dev.manx.lab.stats.Estimate;
import dev.manx.lab.stats.PairedComparison;
import dev.manx.workload.result.Environment;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowKey;
import dev.manx.workload.result.RowReader;
import dev.manx.workload.result.SummaryRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@link ReportData} from a result directory. Confined to one thread. */
final class ReportReader {
  private final Path directory;
  private final Bootstrap bootstrap = Bootstrap.standard();

  ReportReader(Path directory) {
    this.directory = directory;
  }

  ReportData read() throws IOException {
    List<SummaryRow> rows = RowReader.read(directory, SummaryRow.FORMAT);
    if (rows.isEmpty()) {
      throw new IOException(
          directory.resolve(SummaryRow.FORMAT.fileName())
              + " has no rows; run the experiment again");
    }
    Path yamlFile = directory.resolve(ExperimentFile.FILE_NAME);
    String yaml = Files.exists(yamlFile) ? Files.readString(yamlFile) : "";
    ExperimentFile experiment = ExperimentFile.parse(yaml);
    Names names = Names.of(rows, experiment);
    List<MetricRow> metricRows = RowReader.readIfPresent(directory, MetricRow.FORMAT);
    MetricIndex metrics = new MetricIndex(metricRows, bootstrap);
    Costs.Rows costs = new Costs.Rows(metricRows, rows, names);
    Curves curves = new Curves(directory, names.loads());
    List<Result> results = new ArrayList<>();
    for (String load : names.loads()) {
      for (String requestClass : names.classes()) {
        for (String arm : names.arms()) {
          result(costs, arm, requestClass, load, metrics, curves).ifPresent(results::add);
        }
      }
    }
    Timelines timelines = Timelines.read(directory, names);
    Optional<Environment> environment = Environment.readIfPresent(directory);
    List<String> alsoAgainst =
        experiment.alsoAgainst().stream()
            .filter(arm -> names.arms().contains(arm) && !arm.equals(names.baseline()))
            .distinct()
            .toList();
    return new ReportData(
        rows.get(0).key().experiment(),
        names.baseline(),
        alsoAgainst,
        names.arms(),
        names.classes(),
        names.loads(),
        names.blocks(),
        List.copyOf(results),
        comparisons(results, names.baseline()),
        alsoAgainst.stream().flatMap(over -> comparisons(results, over).stream()).toList(),
        Costs.of(costs, bootstrap),
        BoundVerdicts.of(experiment.bounds(), results, costs, names.loads(), bootstrap),
        metrics,
        Sweeps.of(results, metrics, names.loads(), experiment),
        timelines.lines().stream().filter(t -> !Annotations.PHASES.contains(t.metric())).toList(),
        timelines.leftOut(),
        marks(metricRows, timelines.lines(), names),
        environment,
        yaml,
        experiment,
        WrongResults.of(rows, environment));
  }

  private static List<Annotations.Mark> marks(
      List<MetricRow> rows, List<ReportData.Timeline> timelines, Names names) {
    List<Annotations.Mark> marks = new ArrayList<>(Annotations.of(rows, names::block));
    marks.addAll(Annotations.ofGoals(rows, timelines));
    marks.addAll(Annotations.ofPhases(timelines));
    return List.copyOf(marks);
  }

  private Optional<Result> result(
      Costs.Rows rows,
      String arm,
      String requestClass,
      String load,
      MetricIndex metrics,
      Curves curves)
      throws IOException {
    List<SummaryRow> own =
        rows.summary().stream()
            .filter(
                row ->
                    row.key().arm().equals(arm)
                        && row.key().requestClass().equals(requestClass)
                        && row.key().load().equals(load))
            .toList();
    if (own.isEmpty()) {
      return Optional.empty();
    }
    SummaryRow pooled =
        own.stream()
            .filter(row -> row.key().isPooled())
            .findFirst()
            .orElseThrow(
                () ->
                    new IOException(
                        directory.resolve(SummaryRow.FORMAT.fileName())
                            + ": no row seed=all,round=all for arm '"
                            + arm
                            + "', class '"
                            + requestClass
                            + "', load '"
                            + load
                            + "'; the run did not end, and the same experiment with --out continues"
                            + " it"));
    List<SummaryRow> rounds = own.stream().filter(row -> row.key().isRound()).toList();
    Map<LatencyStatistic, Estimate> latencies = new EnumMap<>(LatencyStatistic.class);
    Map<LatencyStatistic, Map<String, Double>> byRound = new EnumMap<>(LatencyStatistic.class);
    for (LatencyStatistic statistic : LatencyStatistic.values()) {
      Map<String, Double> each = new LinkedHashMap<>();
      for (SummaryRow round : rounds) {
        if (!Double.isNaN(statistic.us(round))) {
          each.put(rows.names().block(round.key()), statistic.us(round));
        }
      }
      byRound.put(statistic, each);
      latencies.put(statistic, median(each.values()));
    }
    // In an open loop a short window may have no request.
    boolean closed = rows.isClosed(load);
    long silent =
        rounds.stream()
            .filter(round -> round.throughputPerSecond() == 0 && (closed || round.count() > 0))
            .count();
    return Optional.of(
        new Result(
            arm,
            requestClass,
            load,
            rounds.size(),
            (int) silent,
            pooled.count(),
            pooled.errors(),
            pooled.wrong(),
            median(rounds.stream().map(SummaryRow::throughputPerSecond).toList()),
            latencies,
            byRound,
            metrics.utilisation(arm, load),
            metrics.saturated(arm, load),
            metrics.grows(arm, load),
            curves.points(arm, requestClass, load)));
  }

  private Estimate median(Collection<Double> values) {
    return bootstrap.median(values.stream().mapToDouble(Double::doubleValue).toArray());
  }

  private List<Comparison> comparisons(List<Result> results, String over) {
    List<Comparison> all = new ArrayList<>();
    for (Result base : results) {
      if (!base.arm().equals(over)) {
        continue;
      }
      for (Result arm : results) {
        if (arm.arm().equals(base.arm())
            || !arm.load().equals(base.load())
            || !arm.requestClass().equals(base.requestClass())) {
          continue;
        }
        for (LatencyStatistic quantile : LatencyStatistic.COMPARED) {
          all.add(
              new Comparison(
                  arm.arm(),
                  over,
                  arm.requestClass(),
                  arm.load(),
                  quantile,
                  compare(arm, base, quantile, bootstrap)));
        }
      }
    }
    return List.copyOf(all);
  }

  /** Two arms at one percentile, round by round. */
  static PairedComparison compare(
      Result arm, Result base, LatencyStatistic quantile, Bootstrap bootstrap) {
    PairedComparison result =
        PairedComparison.of(
            arm.byRound().get(quantile),
            base.byRound().get(quantile),
            arm.saturated() || base.saturated(),
            bootstrap);
    if (arm.restsOnSingleRequests(base, quantile)) {
      result = result.ofSingleRequests();
    }
    return arm.failsMoreThan(base) || base.failsMoreThan(arm)
        ? result.ofFailures(arm.failsMoreThan(base))
        : result;
  }

  /** The names in the files, in the order of the report. */
  record Names(
      String baseline,
      List<String> arms,
      List<String> classes,
      List<String> loads,
      List<String> seeds,
      List<String> blocks) {

    static Names of(List<SummaryRow> rows, ExperimentFile experiment) {
      Set<String> arms = new LinkedHashSet<>();
      Set<String> classes = new LinkedHashSet<>();
      if (rows.stream().anyMatch(row -> row.key().requestClass().equals(ALL))) {
        classes.add(ALL);
      }
      Set<String> loads = new LinkedHashSet<>();
      Set<String> seeds = new LinkedHashSet<>();
      for (SummaryRow row : rows) {
        arms.add(row.key().arm());
        classes.add(row.key().requestClass());
        loads.add(row.key().load());
        if (row.key().isRound()) {
          seeds.add(row.key().seed());
        }
      }
      // Cases of squeezed threads are not parts of a whole, so their mixture is meaningless.
      if (experiment.kind().casesApart() && classes.size() > 1) {
        classes.remove(ALL);
      }
      // Rounds run their arms in random order; the experiment file has the user's order.
      Set<String> inFile = new LinkedHashSet<>(experiment.arms().keySet());
      inFile.retainAll(arms);
      inFile.addAll(arms);
      String baseline = experiment.baseline(List.copyOf(inFile));
      Set<String> ordered = new LinkedHashSet<>(List.of(baseline));
      ordered.addAll(inFile);
      Names names =
          new Names(
              baseline,
              List.copyOf(ordered),
              List.copyOf(classes),
              List.copyOf(loads),
              List.copyOf(seeds),
              List.of());
      Set<String> blocks = new LinkedHashSet<>();
      rows.stream()
          .map(SummaryRow::key)
          .filter(RowKey::isRound)
          .map(names::block)
          .forEach(blocks::add);
      return new Names(
          baseline, names.arms, names.classes, names.loads, names.seeds, List.copyOf(blocks));
    }

    String block(RowKey key) {
      return block(key.seed(), key.round());
    }

    /** Rounds of different seeds are different blocks; a single seed is not mentioned. */
    String block(String seed, String round) {
      return seeds.size() > 1 ? seed + "/" + round : round;
    }
  }
}
