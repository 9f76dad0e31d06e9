/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.contention;

import dev.manx.contention.engine.RepetitionResult;
import dev.manx.lab.contention.ContentionExperiment.Squeeze;
import dev.manx.lab.contention.Turn.Ended;
import dev.manx.lab.stats.Bootstrap;
import dev.manx.lab.stats.Estimate;
import dev.manx.lab.stats.PooledResult;
import dev.manx.workload.result.Histograms;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowKey;
import dev.manx.workload.result.SummaryRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/** All turns of an experiment, and the rows that they give. Confined to one thread. */
final class Pools {
  /** An arm in a case at a load with a number of sessions. */
  private record Cell(String arm, Squeeze squeeze, String load, int threads) {}

  private final ContentionExperiment experiment;
  private final Bootstrap bootstrap = Bootstrap.standard();
  private final Map<Cell, List<Ended>> cells = new LinkedHashMap<>();

  Pools(ContentionExperiment experiment) {
    this.experiment = experiment;
  }

  void add(Ended ended) {
    cells.computeIfAbsent(cell(ended.turn()), key -> new ArrayList<>()).add(ended);
  }

  private static Cell cell(Turn turn) {
    return new Cell(turn.arm().name(), turn.in().squeeze(), turn.load().label(), turn.threads());
  }

  /** What the rows of a turn are about. */
  static RowKey key(ContentionExperiment experiment, Turn turn) {
    return new RowKey(
        experiment.name(),
        turn.arm().name(),
        turn.in().squeeze().label(),
        turn.load().label(),
        Long.toString(turn.seed()),
        Integer.toString(turn.round()));
  }

  /** Operations that the window's end found waiting were not answered. */
  static SummaryRow summary(RowKey key, RepetitionResult result) {
    return SummaryRow.of(
        key,
        result.count(),
        result.unfinished() + result.failed(),
        0,
        result.throughputPerSecond(),
        result.nanos());
  }

  /** Points of a sweep carry their number of sessions; the experiment's own needs no mention. */
  private String params(Turn turn) {
    boolean swept = turn.in().threads().size() > 1;
    return swept || turn.threads() != experiment.threads() ? "threads=" + turn.threads() : "";
  }

  /** The metrics of one turn. */
  List<MetricRow> metrics(Ended ended) {
    List<MetricRow> rows = new ArrayList<>();
    String params = params(ended.turn());
    values(ended)
        .forEach(
            (name, value) ->
                rows.add(
                    new MetricRow(
                        key(experiment, ended.turn()),
                        params,
                        name,
                        value,
                        Double.NaN,
                        Double.NaN)));
    return rows;
  }

  private Map<String, Double> values(Ended ended) {
    RepetitionResult result = ended.result();
    Map<String, Double> values = new LinkedHashMap<>();
    if (!params(ended.turn()).isEmpty()) {
      values.put("throughput_per_s", result.throughputPerSecond());
      values.put("latency_mean_us", result.nanos().getMean() / 1e3);
      values.put("latency_p50_us", Histograms.percentileUs(result.nanos(), 50));
      values.put("latency_p95_us", Histograms.percentileUs(result.nanos(), 95));
      values.put("latency_p99_us", Histograms.percentileUs(result.nanos(), 99));
      values.put("latency_p999_us", Histograms.percentileUs(result.nanos(), 99.9));
    }
    values.put("cpu_us_per_op", result.cpuMicrosPerOperation());
    values.put("cpu_cores", result.sessionCpuSeconds() / result.windowSeconds());
    values.put("unfinished", (double) result.unfinished());
    values.put("conflict_retries", (double) result.retries());
    result
        .waits()
        .ifPresent(
            waits -> {
              values.put("waits", (double) waits.waits());
              values.put("waits_over_1ms", (double) waits.stalls());
              values.put("wait_checks", (double) waits.checks());
              values.put("wait_s", waits.seconds());
            });
    values.put("foreign_cpu_pct", 100 * result.noise().foreign());
    values.put("steal_pct", 100 * result.noise().steal());
    values.put("noisy", ended.noisy() ? 1.0 : 0.0);
    // The paper's own ratios; the unrestricted case runs first in each round.
    ratio(ended, unrestricted(ended), "p999_over_unrestricted", Pools::p999, values);
    ratio(ended, unrestricted(ended), "mean_over_unrestricted", Pools::mean, values);
    values.values().removeIf(value -> !Double.isFinite(value));
    return values;
  }

  private static void ratio(
      Ended ended,
      Optional<Ended> base,
      String name,
      ToDoubleFunction<Ended> of,
      Map<String, Double> values) {
    base.ifPresent(other -> values.put(name, of.applyAsDouble(ended) / of.applyAsDouble(other)));
  }

  private static double p999(Ended ended) {
    return Histograms.percentileUs(ended.result().nanos(), 99.9);
  }

  private static double mean(Ended ended) {
    return ended.result().nanos().getMean();
  }

  private static double cpu(Ended ended) {
    return ended.result().cpuMicrosPerOperation();
  }

  private Optional<Ended> unrestricted(Ended ended) {
    Turn turn = ended.turn();
    return turn.in().squeeze() == Squeeze.UNRESTRICTED
        ? Optional.empty()
        : same(
            ended,
            new Cell(turn.arm().name(), Squeeze.UNRESTRICTED, turn.load().label(), turn.threads()));
  }

  private Optional<Ended> baseline(Ended ended) {
    Turn turn = ended.turn();
    return turn.arm().name().equals(experiment.baseline())
        ? Optional.empty()
        : same(
            ended,
            new Cell(
                experiment.baseline(), turn.in().squeeze(), turn.load().label(), turn.threads()));
  }

  /** The turn of the same seed and round in another cell. */
  private Optional<Ended> same(Ended ended, Cell cell) {
    return cells.getOrDefault(cell, List.of()).stream()
        .filter(
            other ->
                other.turn().seed() == ended.turn().seed()
                    && other.turn().round() == ended.turn().round())
        .findFirst();
  }

  /** The rounds of each seed pooled, and all of them. */
  List<SummaryRow> summaries() {
    List<SummaryRow> rows = new ArrayList<>();
    cells.forEach(
        (cell, all) -> {
          if (cell.threads() == experiment.threads()) {
            RowKey key = key(cell);
            for (long seed : experiment.seeds()) {
              rows.add(
                  pooled(
                      key.withSeed(Long.toString(seed)),
                      all.stream().filter(ended -> ended.turn().seed() == seed).toList()));
            }
            rows.add(pooled(key, all));
          }
        });
    return rows;
  }

  private RowKey key(Cell cell) {
    return new RowKey(
        experiment.name(), cell.arm(), cell.squeeze().label(), cell.load(), RowKey.ALL, RowKey.ALL);
  }

  private SummaryRow pooled(RowKey key, List<Ended> rounds) {
    Histogram nanos = Histograms.create();
    rounds.forEach(ended -> nanos.add(ended.result().nanos()));
    Estimate p99 =
        PooledResult.p99Us(
            rounds.stream().map(ended -> ended.result().nanos()).toList(), bootstrap);
    return SummaryRow.of(
            key,
            rounds.stream().mapToLong(ended -> ended.result().count()).sum(),
            rounds.stream()
                .mapToLong(ended -> ended.result().unfinished() + ended.result().failed())
                .sum(),
            0,
            rounds.stream()
                .mapToDouble(ended -> ended.result().throughputPerSecond())
                .average()
                .orElse(Double.NaN),
            nanos)
        .withP99Interval(p99.lo(), p99.hi());
  }

  private Estimate median(List<Ended> rounds, ToDoubleFunction<Ended> of) {
    return bootstrap.median(rounds.stream().mapToDouble(of).filter(Double::isFinite).toArray());
  }

  /** Medians over rounds with their intervals, and ratios to the baseline, round by round. */
  List<MetricRow> metrics() {
    List<MetricRow> rows = new ArrayList<>();
    cells.forEach(
        (cell, all) -> {
          Map<String, List<Double>> values = new LinkedHashMap<>();
          for (Ended ended : all) {
            Map<String, Double> one = values(ended);
            ratio(ended, baseline(ended), "p999_over_baseline", Pools::p999, one);
            ratio(ended, baseline(ended), "mean_over_baseline", Pools::mean, one);
            ratio(ended, baseline(ended), "cpu_per_op_over_baseline", Pools::cpu, one);
            one.forEach(
                (name, value) -> values.computeIfAbsent(name, k -> new ArrayList<>()).add(value));
          }
          String params = params(all.get(0).turn());
          values.forEach(
              (name, list) -> {
                Estimate estimate =
                    bootstrap.median(list.stream().mapToDouble(Double::doubleValue).toArray());
                rows.add(
                    new MetricRow(
                        key(cell), params, name, estimate.value(), estimate.lo(), estimate.hi()));
              });
        });
    return rows;
  }
}
