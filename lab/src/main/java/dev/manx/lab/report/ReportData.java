/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.experiment.LatencyStatistic;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.experiment.Saturation;
import dev.manx.lab.stats.Estimate;
import dev.manx.lab.stats.PairedComparison;
import dev.manx.operate.canary.Failures;
import dev.manx.simulator.Outcome;
import dev.manx.workload.RequestClass;
import dev.manx.workload.result.Environment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All data of a report, read from a result directory; {@link ReportJson} writes it for the page and
 * the terminal. Immutable. Latencies are microseconds.
 *
 * @param experiment the experiment's name
 * @param baseline the arm with which the others are compared
 * @param alsoAgainst further arms with which the others are compared
 * @param arms all arms, the baseline first, then in the order of summary.csv
 * @param classes {@code all} first, if present
 * @param loads in the order of summary.csv
 * @param blocks labels of the rounds in order, {@code 1..n} or {@code seed/round}
 * @param results one per measured arm, class and load
 * @param comparisons one per arm except the baseline, class, load and percentile
 * @param alsoCompared likewise with the arms of {@code alsoAgainst}
 * @param costs one per arm except the baseline, load and measured quantity
 * @param bounds one per bound of the experiment and load
 * @param index metrics by place
 * @param sweeps curves over loads or a swept parameter
 * @param timelines one per metric, arm, entity, load and round
 * @param timelineRowsLeftOut rows of timeline.csv that do not fit into a page
 * @param marks marks on the timelines
 * @param environment environment of the run; empty if environment.json is missing
 * @param experimentYaml the resolved experiment, verbatim; empty if missing
 * @param about description in the experiment file
 * @param wrong reasons why the results cannot be right; empty as a rule
 */
record ReportData(
    String experiment,
    String baseline,
    List<String> alsoAgainst,
    List<String> arms,
    List<String> classes,
    List<String> loads,
    List<String> blocks,
    List<Result> results,
    List<Comparison> comparisons,
    List<Comparison> alsoCompared,
    List<Costs.Cost> costs,
    List<BoundVerdicts.Judged> bounds,
    MetricIndex index,
    List<Sweep> sweeps,
    List<Timeline> timelines,
    long timelineRowsLeftOut,
    List<Annotations.Mark> marks,
    Optional<Environment> environment,
    String experimentYaml,
    ExperimentFile about,
    List<String> wrong) {

  private static final Set<String> BACKGROUND =
      Set.of(RequestClass.SCAN.label(), RequestClass.INDEX.label(), RequestClass.WRITE.label());

  /** The arms whose best in each column is the heat map's reference. */
  public List<String> heatArms() {
    List<String> measured = about.heatArms().stream().filter(arms::contains).toList();
    return measured.isEmpty() ? List.of(baseline) : measured;
  }

  /**
   * The result of one arm for one class at one load.
   *
   * @param rounds number of measured rounds
   * @param silent number of rounds in which no request was answered
   * @param throughput successful answers per second, the median over rounds with its interval
   * @param latencies the median over rounds with its interval
   * @param byRound each round's value, by block label
   * @param utilisation measured share of capacity used, 0..1; NaN if unknown
   * @param saturated whether latency is not to be compared at all
   * @param growing whether its queues grew; it is then saturated
   * @param curve points of the percentile curve; empty without a histogram log
   */
  public record Result(
      String arm,
      String requestClass,
      String load,
      int rounds,
      int silent,
      long count,
      long errors,
      long wrong,
      Estimate throughput,
      Map<LatencyStatistic, Estimate> latencies,
      Map<LatencyStatistic, Map<String, Double>> byRound,
      double utilisation,
      boolean saturated,
      boolean growing,
      List<CurvePoint> curve) {
    /** Requests that succeeded; most others have no latency. */
    long answered() {
      return count - errors;
    }

    /** The part of its requests that failed, timed out or were not sent. */
    double failedShare() {
      return count == 0 ? 0 : (double) errors / count;
    }

    /**
     * Whether it fails more of its requests than another arm, by more than a share and by more than
     * chance explains.
     */
    boolean failsMoreThan(Result other) {
      return failedShare() - other.failedShare() > Saturation.MOST_FAILED_SHARE
          && Failures.differ(errors, count, other.errors, other.count);
    }

    /** Mean number of requests of a round beyond a percentile. */
    public double beyondPerRound(LatencyStatistic quantile) {
      return rounds == 0 ? 0 : quantile.beyond((double) answered() / rounds);
    }

    /** Whether a comparison at this percentile would compare the rounds' maxima. */
    boolean restsOnSingleRequests(Result other, LatencyStatistic quantile) {
      return beyondPerRound(quantile) < 1 || other.beyondPerRound(quantile) < 1;
    }
  }

  /** A percentile in [0, 100) and its latency. */
  public record CurvePoint(double percentile, double us) {}

  /** An arm relative to another one at one percentile; the ratio is arm / over. */
  public record Comparison(
      String arm,
      String over,
      String requestClass,
      String load,
      LatencyStatistic quantile,
      PairedComparison result) {}

  /** One metric of one arm, over all seeds and rounds. */
  public record Metric(
      String arm, String requestClass, String load, String params, String name, Estimate value) {
    MetricIndex.Place place() {
      return new MetricIndex.Place(arm, requestClass, load, params);
    }
  }

  /**
   * One line of a timeline; seconds since the start of the round's measured window.
   *
   * @param load empty for all loads
   */
  public record Timeline(
      String metric, String arm, String entity, String load, String block, List<Point> points) {
    /** A value at a moment; NaN where it is missing. */
    public record Point(double seconds, double value) {}
  }

  /**
   * Reads a result directory. summary.csv must exist; other missing files are left out.
   *
   * @throws IOException if a file cannot be read
   * @throws dev.manx.workload.result.SchemaException if a file does not follow the schema
   */
  public static ReportData read(Path directory) throws IOException {
    return new ReportReader(directory).read();
  }

  /**
   * The classes for sentences: all requests together and each kind of background work, or each
   * class separately if the classes are cases without a sum.
   */
  public List<String> judged() {
    return classes.contains("all")
        ? classes.stream().filter(one -> one.equals("all") || BACKGROUND.contains(one)).toList()
        : classes;
  }

  /** The number of seeds; the rounds of one seed are not named after it. */
  int seeds() {
    long named = blocks.stream().map(block -> block.replaceFirst("[^/]*$", "")).distinct().count();
    return (int) Math.max(1, named);
  }

  /** One per metric, arm, class, load and swept parameters. */
  List<Metric> metrics() {
    return index.lines();
  }

  /** The meaning of the ends next to its values. */
  Ends ends() {
    return Ends.of(results, sweeps);
  }

  /** Whether a load is a closed loop. */
  boolean isClosed(String load) {
    return Load.isClosed(
        load,
        metrics().stream()
            .filter(metric -> metric.params().isEmpty() && metric.load().equals(load))
            .map(Metric::name));
  }

  /** The points of a sweep that are closed loops with a think time. */
  List<String> closedPoints() {
    return metrics().stream()
        .filter(metric -> !metric.params().isEmpty() && metric.name().equals(Outcome.CLIENTS))
        .map(Metric::params)
        .distinct()
        .toList();
  }

  /** The results for verdicts: all except the baseline's, class by class. */
  List<Result> others(String load) {
    return judged().stream()
        .flatMap(
            requestClass ->
                arms.stream()
                    .filter(arm -> !arm.equals(baseline))
                    .flatMap(arm -> result(arm, requestClass, load).stream()))
        .toList();
  }

  /** The result of an arm, if measured. */
  public Optional<Result> result(String arm, String requestClass, String load) {
    return results.stream()
        .filter(
            r ->
                r.arm().equals(arm)
                    && r.requestClass().equals(requestClass)
                    && r.load().equals(load))
        .findFirst();
  }

  /** A metric of an arm over all seeds and rounds; {@link Estimate#NONE} if not measured. */
  Estimate metric(String name, String arm, String requestClass, String load, String params) {
    return index.find(new MetricIndex.Place(arm, requestClass, load, params), name);
  }

  /** Comparisons of an arm with the baseline, in ascending order of percentile. */
  public List<Comparison> comparisons(String arm, String requestClass, String load) {
    return comparisons(arm, baseline, requestClass, load);
  }

  /** Comparisons of an arm with the baseline or an arm of {@code alsoAgainst}. */
  List<Comparison> comparisons(String arm, String over, String requestClass, String load) {
    return (over.equals(baseline) ? comparisons : alsoCompared)
        .stream()
            .filter(
                c ->
                    c.arm().equals(arm)
                        && c.over().equals(over)
                        && c.requestClass().equals(requestClass)
                        && c.load().equals(load))
            .toList();
  }
}
