/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

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
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/** All turns of one arm at one point, and their rows. Confined to one thread. */
public final class Pool<S, P> {
  /** A finished turn. */
  record Ended<S, P>(Turn<S, P> turn, Measured measured) {}

  private final RowKey key;
  private final Arm<S> arm;
  private final Point<S, P> point;
  private final List<Ended<S, P>> turns = new ArrayList<>();
  private final Bootstrap bootstrap = Bootstrap.standard();

  Pool(String experiment, Arm<S> arm, Point<S, P> point) {
    this.arm = arm;
    this.point = point;
    key =
        new RowKey(
            experiment, arm.name(), point.requestClass(), point.load(), RowKey.ALL, RowKey.ALL);
  }

  void add(Turn<S, P> turn, Measured measured) {
    turns.add(new Ended<>(turn, measured));
  }

  public Arm<S> arm() {
    return arm;
  }

  public Point<S, P> point() {
    return point;
  }

  int turns(long seed) {
    return of(seed).size();
  }

  /** The result of the turn with a given seed and round. */
  Optional<Measured> beside(Turn<S, P> other) {
    return turns.stream()
        .filter(one -> one.turn().seed() == other.seed() && one.turn().round() == other.round())
        .map(Ended::measured)
        .findFirst();
  }

  private List<Ended<S, P>> of(long seed) {
    return turns.stream().filter(one -> one.turn().seed() == seed).toList();
  }

  /** The median over turns of a metric, with its interval. */
  public Estimate median(String name, Predicate<String> params) {
    return median(
        turns.stream()
            .flatMap(one -> one.measured().metrics().stream())
            .filter(metric -> metric.name().equals(name) && params.test(metric.params()))
            .map(Measured.Metric::value)
            .toList());
  }

  private Estimate median(List<Double> values) {
    return pooled(Pooling.MEDIAN, values);
  }

  private Estimate pooled(Pooling pooling, List<Double> values) {
    return pooling.pooled(values.stream().mapToDouble(Double::doubleValue).toArray(), bootstrap);
  }

  /** The row of one turn equals that of a pool of one. */
  List<SummaryRow> summaries(Turn<S, P> turn) {
    return summaries(turn.key(key.experiment()), turns.subList(turns.size() - 1, turns.size()));
  }

  List<SummaryRow> summaries(long seed) {
    return summaries(key.withSeed(Long.toString(seed)), of(seed));
  }

  List<SummaryRow> summaries() {
    return summaries(key, turns);
  }

  private List<SummaryRow> summaries(RowKey row, List<Ended<S, P>> some) {
    List<SummaryRow> rows = new ArrayList<>();
    for (String one : some.get(0).measured().classes().keySet()) {
      List<Measured.Latency> parts =
          some.stream().map(ended -> ended.measured().classes().get(one)).toList();
      List<Histogram> latencies = parts.stream().map(Measured.Latency::nanos).toList();
      Histogram all = Histograms.create();
      latencies.forEach(all::add);
      Estimate p99 = PooledResult.p99Us(latencies, bootstrap);
      rows.add(
          SummaryRow.of(
                  row.withClass(one),
                  parts.stream().mapToLong(Measured.Latency::count).sum(),
                  parts.stream().mapToLong(Measured.Latency::errors).sum(),
                  parts.stream().mapToLong(Measured.Latency::wrong).sum(),
                  mean(parts, Measured.Latency::perSecond),
                  all)
              .withP99Interval(p99.lo(), p99.hi()));
    }
    return rows;
  }

  /** Summed in order, so that equal turns give identical bits. */
  private static double mean(
      List<Measured.Latency> parts, ToDoubleFunction<Measured.Latency> value) {
    double sum = 0;
    for (Measured.Latency part : parts) {
      sum += value.applyAsDouble(part);
    }
    return sum / parts.size();
  }

  /** Pooled over the rounds of a seed; not needed for a single round. */
  List<MetricRow> metrics(long seed) {
    List<Ended<S, P>> own = of(seed);
    return own.size() < 2 ? List.of() : pooled(key.withSeed(Long.toString(seed)), own);
  }

  /** Pooled over all turns, and whether the arm is saturated if queues were examined. */
  List<MetricRow> metrics() {
    List<MetricRow> rows = pooled(key, turns);
    if (turns.get(0).measured().knowsQueues()) {
      rows.add(
          row(
              key,
              "",
              Saturation.SATURATED,
              new Estimate(saturated() ? 1 : 0, Double.NaN, Double.NaN, 1)));
    }
    return rows;
  }

  private List<MetricRow> pooled(RowKey row, List<Ended<S, P>> some) {
    record Name(String params, String metric) {}
    Map<Name, List<Double>> values = new LinkedHashMap<>();
    for (Ended<S, P> ended : some) {
      for (Measured.Metric metric : ended.measured().metrics()) {
        values
            .computeIfAbsent(new Name(metric.params(), metric.name()), k -> new ArrayList<>())
            .add(metric.value());
      }
    }
    List<MetricRow> rows = new ArrayList<>();
    values.forEach(
        (name, list) ->
            rows.add(
                row(row, name.params(), name.metric(), pooled(Pooling.of(name.metric()), list))));
    return rows;
  }

  /** Metrics of every turn relative to the baseline's in its round, then pooled. */
  List<MetricRow> overBaseline(Pool<S, P> baseline, Player<S, P> player) {
    Map<String, List<Double>> values = new LinkedHashMap<>();
    List<MetricRow> rows = new ArrayList<>();
    for (Ended<S, P> ended : turns) {
      RowKey round = ended.turn().key(key.experiment());
      baseline
          .beside(ended.turn())
          .map(other -> player.overBaseline(ended.measured(), other))
          .orElse(Map.of())
          .forEach(
              (name, value) -> {
                if (Double.isFinite(value)) {
                  values.computeIfAbsent(name, k -> new ArrayList<>()).add(value);
                  rows.add(row(round, "", name, new Estimate(value, Double.NaN, Double.NaN, 1)));
                }
              });
    }
    values.forEach((name, list) -> rows.add(row(key, "", name, median(list))));
    return rows;
  }

  private MetricRow row(RowKey row, String params, String name, Estimate value) {
    return new MetricRow(row, params(params), name, value.value(), value.lo(), value.hi());
  }

  /** The point's parameters, then the metric's. */
  String params(String own) {
    return point.params().isEmpty() || own.isEmpty()
        ? point.params() + own
        : point.params() + ";" + own;
  }

  /** Whether the median utilisation exceeds the limit, or the backlog grew in most turns. */
  boolean saturated() {
    double[] used =
        turns.stream()
            .mapToDouble(one -> one.measured().utilisationPct())
            .filter(Double::isFinite)
            .toArray();
    boolean full = used.length > 0 && Saturation.isFull(bootstrap.median(used).value());
    return full
        || 2 * turns.stream().filter(one -> one.measured().isGrowing()).count() > turns.size();
  }
}
