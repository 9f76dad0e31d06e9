/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cache;

import dev.manx.lab.cache.CacheExperiment.NamedScenario;
import dev.manx.lab.stats.Bootstrap;
import dev.manx.lab.stats.Estimate;
import dev.manx.lab.stats.PooledResult;
import dev.manx.simulator.cache.CacheOutcome;
import dev.manx.simulator.cache.CacheOutcome.Metric;
import dev.manx.simulator.cache.Scenario.Spike;
import dev.manx.simulator.cache.Slo;
import dev.manx.workload.result.Histograms;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowKey;
import dev.manx.workload.result.SummaryRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** The outcomes of all arms and seeds in one scenario, and their rows. Confined to one thread. */
final class PlayedScenario {
  private static final String ROUND = "1";
  private static final String SHARED = "cache.shared";
  private static final List<String> OVERHEADS =
      List.of("backend_load_per_s", "miss_mean_ms", "miss_p99_ms");

  private final CacheExperiment experiment;
  private final NamedScenario scenario;
  private final Bootstrap bootstrap = Bootstrap.standard();
  private final Map<String, Map<Long, CacheOutcome>> outcomes = new LinkedHashMap<>();

  PlayedScenario(CacheExperiment experiment, NamedScenario scenario) {
    this.experiment = experiment;
    this.scenario = scenario;
  }

  void add(String arm, long seed, CacheOutcome outcome) {
    outcomes.computeIfAbsent(arm, a -> new TreeMap<>()).put(seed, outcome);
  }

  String load() {
    return scenario.name();
  }

  Map<String, Map<Long, CacheOutcome>> outcomes() {
    return outcomes;
  }

  private RowKey key(String arm) {
    return new RowKey(experiment.name(), arm, RowKey.ALL, load(), RowKey.ALL, RowKey.ALL);
  }

  List<SummaryRow> summaries() {
    List<SummaryRow> rows = new ArrayList<>();
    outcomes.forEach(
        (arm, seeds) -> {
          seeds.forEach(
              (seed, outcome) -> {
                RowKey own = key(arm).withSeed(Long.toString(seed));
                rows.add(summary(own.withRound(ROUND), List.of(outcome)));
                rows.add(summary(own, List.of(outcome)));
              });
          rows.add(summary(key(arm), List.copyOf(seeds.values())));
        });
    return rows;
  }

  private SummaryRow summary(RowKey key, List<CacheOutcome> parts) {
    Histogram all = Histograms.create();
    double perSecond = 0;
    for (CacheOutcome part : parts) {
      all.add(part.requests());
      perSecond += part.requests().getTotalCount() / part.windowSeconds() / parts.size();
    }
    Estimate p99 =
        PooledResult.p99Us(parts.stream().map(CacheOutcome::requests).toList(), bootstrap);
    return SummaryRow.of(key, all.getTotalCount(), 0, 0, perSecond, all)
        .withP99Interval(p99.lo(), p99.hi());
  }

  /** Each seed's metrics, those over the shared cache's, and medians with intervals. */
  List<MetricRow> metrics() {
    List<MetricRow> rows = new ArrayList<>();
    String shared = sharedArm();
    outcomes.forEach(
        (arm, seeds) -> {
          Map<List<String>, List<Double>> values = new LinkedHashMap<>();
          seeds.forEach(
              (seed, outcome) -> {
                List<Metric> metrics = new ArrayList<>(outcome.metrics());
                if (shared != null && !shared.equals(arm)) {
                  metrics.addAll(over(outcome, outcomes.get(shared).get(seed)));
                }
                for (Metric metric : metrics) {
                  rows.add(
                      new MetricRow(
                          key(arm).withSeed(Long.toString(seed)).withRound(ROUND),
                          metric.params(),
                          metric.name(),
                          metric.value(),
                          Double.NaN,
                          Double.NaN));
                  values
                      .computeIfAbsent(
                          List.of(metric.name(), metric.params()), k -> new ArrayList<>())
                      .add(metric.value());
                }
              });
          values.forEach(
              (metric, list) -> {
                Estimate over = median(list);
                rows.add(
                    new MetricRow(
                        key(arm),
                        metric.get(1),
                        metric.get(0),
                        over.value(),
                        over.lo(),
                        over.hi()));
              });
        });
    return rows;
  }

  /** A band on the timelines for each time in which a backend is slow. */
  List<MetricRow> marks() {
    RowKey all =
        new RowKey(experiment.name(), RowKey.ALL, RowKey.ALL, load(), RowKey.ALL, RowKey.ALL);
    List<MetricRow> rows = new ArrayList<>();
    for (Spike spike : scenario.spikes()) {
      String params =
          String.format(
              Locale.ROOT,
              "from=%.0f;to=%.0f;label=%s slow",
              spike.minutes().get(0) * 60,
              spike.minutes().get(3) * 60,
              spike.backend());
      rows.add(new MetricRow(all, params, "mark", 1, Double.NaN, Double.NaN));
    }
    return rows;
  }

  private Estimate median(List<Double> list) {
    return bootstrap.median(list.stream().mapToDouble(Double::doubleValue).toArray());
  }

  private String sharedArm() {
    return experiment.arms().stream()
        .filter(arm -> arm.strategy().name().equals(SHARED))
        .map(CacheExperiment.CacheArm::name)
        .findFirst()
        .orElse(null);
  }

  /** What an arm costs the backends against one shared LRU (RobinHood section 5.6). */
  private static List<Metric> over(CacheOutcome outcome, CacheOutcome shared) {
    List<Metric> ratios = new ArrayList<>();
    for (Metric metric : outcome.metrics()) {
      double base = shared.metric(metric.name(), metric.params());
      if (OVERHEADS.contains(metric.name()) && base > 0) {
        ratios.add(
            new Metric(
                metric.name().replaceAll("_(ms|per_s)$", "_vs_shared"),
                metric.params(),
                metric.value() / base));
      }
    }
    return ratios;
  }

  /** The shared LRU's hit ratios beside the paper's ranges, where the workload has them. */
  Map<String, String> hitRatioChecks() {
    Map<String, String> lines = new LinkedHashMap<>();
    String shared = sharedArm();
    if (shared != null) {
      new TreeMap<>(experiment.workload().paperHitRatios())
          .forEach(
              (backend, range) -> {
                List<Double> seeds =
                    outcomes.get(shared).values().stream()
                        .map(o -> o.metric("hit_ratio_pct", "backend=" + backend))
                        .toList();
                double ours = median(seeds).value();
                lines.put(
                    "hit ratio of " + backend + " under " + shared + ", " + load(),
                    String.format(
                        Locale.ROOT,
                        "%.1f %%, the paper's range is %.0f-%.0f %%: %s",
                        ours,
                        range[0],
                        range[1],
                        ours >= range[0] && ours <= range[1] ? "inside" : "OUTSIDE"));
              });
    }
    return lines;
  }

  /** One line an arm: how often the goals were missed. */
  List<String> violations() {
    List<String> lines = new ArrayList<>();
    outcomes.forEach(
        (arm, seeds) -> {
          StringBuilder line = new StringBuilder(load() + " " + arm + ": goals missed");
          for (Slo slo : experiment.slos()) {
            List<Double> each = new ArrayList<>();
            for (CacheOutcome outcome : seeds.values()) {
              outcome.metrics().stream()
                  .filter(
                      m ->
                          m.name().equals("slo_violation_pct")
                              && m.params().startsWith("goal=" + slo.label() + ";"))
                  .forEach(m -> each.add(m.value()));
            }
            Estimate value = median(each);
            line.append(
                String.format(
                    Locale.ROOT,
                    "  %s %.2f %% (%.2f-%.2f)",
                    slo.label(),
                    value.value(),
                    value.lo(),
                    value.hi()));
          }
          lines.add(line.toString());
        });
    return lines;
  }
}
