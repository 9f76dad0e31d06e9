/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.simulate;

import dev.manx.lab.stats.Bootstrap;
import dev.manx.lab.stats.Estimate;
import dev.manx.lab.stats.PooledResult;
import dev.manx.simulator.Outcome;
import dev.manx.simulator.Outcome.ClassOutcome;
import dev.manx.workload.RequestClass;
import dev.manx.workload.result.Histograms;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowKey;
import dev.manx.workload.result.SummaryRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** The outcomes of one arm at one load, a seed each, and their rows. Confined to one thread. */
final class Played {
  private static final String FIRST_ROUND = "1";

  private final RowKey key;
  private final String params;
  private final Map<Long, Outcome> bySeed = new TreeMap<>();
  private final Bootstrap bootstrap = Bootstrap.standard();

  /**
   * For rows of an arm and load.
   *
   * @param params of a sweep's point, or empty
   */
  Played(String experiment, String arm, String load, String params) {
    key = new RowKey(experiment, arm, RowKey.ALL, load, RowKey.ALL, RowKey.ALL);
    this.params = params;
  }

  void add(long seed, Outcome outcome) {
    bySeed.put(seed, outcome);
  }

  /** Each seed as its one round and as its pool, then all seeds pooled. */
  List<SummaryRow> summaries() {
    List<SummaryRow> rows = new ArrayList<>();
    bySeed.forEach(
        (seed, outcome) -> {
          RowKey own = key.withSeed(Long.toString(seed));
          rows.addAll(summaries(own.withRound(FIRST_ROUND), List.of(outcome)));
          rows.addAll(summaries(own, List.of(outcome)));
        });
    rows.addAll(summaries(key, List.copyOf(bySeed.values())));
    return rows;
  }

  private List<SummaryRow> summaries(RowKey row, List<Outcome> outcomes) {
    List<SummaryRow> rows = new ArrayList<>();
    for (RequestClass one : outcomes.get(0).classes().keySet()) {
      List<ClassOutcome> parts = outcomes.stream().map(o -> o.classes().get(one)).toList();
      Histogram all = Histograms.create();
      parts.forEach(part -> all.add(part.nanos()));
      Estimate p99 =
          PooledResult.p99Us(parts.stream().map(ClassOutcome::nanos).toList(), bootstrap);
      double perSecond = 0;
      for (Outcome outcome : outcomes) {
        ClassOutcome part = outcome.classes().get(one);
        perSecond += (part.count() - part.errors()) / (outcome.windowNanos() / 1e9);
      }
      rows.add(
          SummaryRow.of(
                  row.withClass(one.label()),
                  parts.stream().mapToLong(ClassOutcome::count).sum(),
                  parts.stream().mapToLong(ClassOutcome::errors).sum(),
                  0,
                  perSecond / outcomes.size(),
                  all)
              .withP99Interval(p99.lo(), p99.hi()));
    }
    return rows;
  }

  /** Each seed's metrics, then their medians with intervals, and whether the arm is saturated. */
  List<MetricRow> metrics() {
    List<MetricRow> rows = new ArrayList<>();
    Map<String, List<Double>> values = new LinkedHashMap<>();
    bySeed.forEach(
        (seed, outcome) ->
            metrics(outcome)
                .forEach(
                    (name, value) -> {
                      RowKey own = key.withSeed(Long.toString(seed)).withRound(FIRST_ROUND);
                      rows.add(row(own, name, new Estimate(value, Double.NaN, Double.NaN, 1)));
                      values.computeIfAbsent(name, k -> new ArrayList<>()).add(value);
                    }));
    values.forEach(
        (name, list) ->
            rows.add(
                row(
                    key,
                    name,
                    bootstrap.median(list.stream().mapToDouble(Double::doubleValue).toArray()))));
    rows.add(row(key, "saturated", new Estimate(saturated() ? 1 : 0, Double.NaN, Double.NaN, 1)));
    return rows;
  }

  private MetricRow row(RowKey row, String name, Estimate value) {
    return new MetricRow(row, params, name, value.value(), value.lo(), value.hi());
  }

  /** Points of a sweep have no summary row, so their latencies stand among the metrics. */
  private Map<String, Double> metrics(Outcome outcome) {
    Map<String, Double> metrics = new LinkedHashMap<>(outcome.metrics());
    if (!params.isEmpty()) {
      Histogram nanos = outcome.all().nanos();
      metrics.put("latency_mean_us", outcome.all().meanNanos() / 1e3);
      metrics.put("latency_p50_us", Histograms.percentileUs(nanos, 50));
      metrics.put("latency_p95_us", Histograms.percentileUs(nanos, 95));
      metrics.put("latency_p99_us", Histograms.percentileUs(nanos, 99));
      metrics.put("latency_p999_us", Histograms.percentileUs(nanos, 99.9));
      ClassOutcome all = outcome.all();
      metrics.put("throughput_per_s", (all.count() - all.errors()) / (outcome.windowNanos() / 1e9));
    }
    metrics.values().removeIf(value -> value.isNaN() || value.isInfinite());
    return metrics;
  }

  boolean saturated() {
    double[] stable =
        bySeed.values().stream().mapToDouble(o -> o.metrics().get(Outcome.STABLE)).toArray();
    return bootstrap.median(stable).value() < 0.5;
  }

  RowKey key() {
    return key;
  }

  Map<Long, Outcome> bySeed() {
    return bySeed;
  }
}
