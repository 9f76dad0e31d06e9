/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.run;

import dev.manx.lab.stats.Bootstrap;
import dev.manx.lab.stats.Estimate;
import dev.manx.lab.stats.PooledResult;
import dev.manx.load.ClassResult;
import dev.manx.load.LoadResult;
import dev.manx.workload.RequestClass;
import dev.manx.workload.result.Histograms;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowKey;
import dev.manx.workload.result.SummaryRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.HdrHistogram.Histogram;

/** Everything measured of one arm at one load, and its pooled rows. Confined to one thread. */
public final class Pool {
  /** Measured utilisation above which queues, not policies, decide. */
  static final double SATURATION_PCT = 85;

  /**
   * One turn as measured.
   *
   * @param metrics by name, in the order of their rows
   */
  public record Entry(long seed, int round, LoadResult result, Map<String, Double> metrics) {}

  private final RowKey key;
  private final List<Entry> entries = new ArrayList<>();
  private final Bootstrap bootstrap = Bootstrap.standard();

  /** For rows of this arm and load. */
  public Pool(RowKey key) {
    this.key = key.withSeed(RowKey.ALL).withRound(RowKey.ALL);
  }

  /** Adds a turn. */
  public void add(Entry entry) {
    entries.add(entry);
  }

  /** Rows {@code round=all} of each seed, then {@code seed=all,round=all}. */
  public List<SummaryRow> summaries() {
    List<SummaryRow> rows = new ArrayList<>();
    for (long seed : seeds()) {
      rows.addAll(summaries(key.withSeed(Long.toString(seed)), of(seed)));
    }
    rows.addAll(summaries(key, entries));
    return rows;
  }

  /** Medians over rounds with intervals; {@code saturated} is 0 or 1. */
  public List<MetricRow> metrics() {
    List<MetricRow> rows = new ArrayList<>();
    for (long seed : seeds()) {
      rows.addAll(metrics(key.withSeed(Long.toString(seed)), of(seed)));
    }
    rows.addAll(metrics(key, entries));
    rows.add(MetricRow.of(key, "saturated", saturated() ? 1 : 0));
    return rows;
  }

  /** Whether the median utilisation passes the limit, or the backlog grew in most rounds. */
  boolean saturated() {
    double[] used =
        entries.stream()
            .filter(entry -> entry.metrics().containsKey("utilisation_pct"))
            .mapToDouble(entry -> entry.metrics().get("utilisation_pct"))
            .toArray();
    boolean full = used.length > 0 && bootstrap.median(used).value() > SATURATION_PCT;
    long growing = entries.stream().filter(e -> e.result().backlog().growing()).count();
    return full || 2 * growing > entries.size();
  }

  private List<Long> seeds() {
    TreeSet<Long> seeds = new TreeSet<>();
    entries.forEach(entry -> seeds.add(entry.seed()));
    return List.copyOf(seeds);
  }

  private List<Entry> of(long seed) {
    return entries.stream().filter(entry -> entry.seed() == seed).toList();
  }

  private List<SummaryRow> summaries(RowKey row, List<Entry> some) {
    List<SummaryRow> rows = new ArrayList<>();
    for (RequestClass one : some.get(0).result().classes().keySet()) {
      List<ClassResult> rounds = some.stream().map(e -> e.result().classes().get(one)).toList();
      List<Histogram> latencies = rounds.stream().map(ClassResult::latencyNanos).toList();
      Histogram all = Histograms.create();
      latencies.forEach(all::add);
      Estimate p99 = PooledResult.p99Us(latencies, bootstrap);
      rows.add(
          SummaryRow.of(
                  row.withClass(one.label()),
                  rounds.stream().mapToLong(ClassResult::offered).sum(),
                  rounds.stream().mapToLong(ClassResult::failed).sum(),
                  rounds.stream().mapToLong(ClassResult::wrong).sum(),
                  rounds.stream().mapToDouble(ClassResult::throughputPerSecond).average().orElse(0),
                  all)
              .withP99Interval(p99.lo(), p99.hi()));
    }
    return rows;
  }

  private List<MetricRow> metrics(RowKey row, List<Entry> some) {
    Map<String, List<Double>> values = new LinkedHashMap<>();
    for (Entry entry : some) {
      entry
          .metrics()
          .forEach(
              (name, value) -> values.computeIfAbsent(name, k -> new ArrayList<>()).add(value));
    }
    List<MetricRow> rows = new ArrayList<>();
    values.forEach(
        (name, list) -> {
          Estimate over =
              bootstrap.median(list.stream().mapToDouble(Double::doubleValue).toArray());
          rows.add(
              new MetricRow(
                  row.withClass(RowKey.ALL), "", name, over.value(), over.lo(), over.hi()));
        });
    return rows;
  }
}
