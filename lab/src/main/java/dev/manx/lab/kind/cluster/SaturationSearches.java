/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.experiment.LateSends;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.experiment.Player;
import dev.manx.lab.experiment.Progress;
import dev.manx.lab.experiment.Saturation;
import dev.manx.lab.kind.LoadMeasured;
import dev.manx.lab.kind.TimedRun;
import dev.manx.lab.stats.BalancedOrder;
import dev.manx.lab.stats.Bootstrap;
import dev.manx.lab.stats.Estimate;
import dev.manx.load.LatencyGoal;
import dev.manx.load.LoadResult;
import dev.manx.load.LoadRun;
import dev.manx.load.LoadSettings;
import dev.manx.load.MixedRun;
import dev.manx.load.SaturationSearch;
import dev.manx.policy.config.Units;
import dev.manx.workload.Workload;
import dev.manx.workload.result.Histograms;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;

/**
 * Searches for each arm's highest rate of requests that meets the goal; repeats are interleaved
 * like rounds. The result is {@code saturation_per_s} in metrics.csv, one row per repeat and the
 * median with its interval; a search without such a rate counts as 0.
 */
final class SaturationSearches {
  private final ClusterExperiment experiment;
  private final Workload workload;
  private final LoadedClusters clusters;
  private final Progress progress;

  SaturationSearches(
      ClusterExperiment experiment, Workload workload, LoadedClusters clusters, Progress progress) {
    this.experiment = experiment;
    this.workload = workload;
    this.clusters = clusters;
    this.progress = progress;
  }

  void run(ArmSwitch armSwitch, LoadSettings settings, Player.Rows rows)
      throws IOException, InterruptedException {
    SaturationGoal goal = experiment.saturation();
    Map<ClusterArm, List<Double>> found = new LinkedHashMap<>();
    experiment.arms().forEach(arm -> found.put(arm, new ArrayList<>()));
    for (int repeat = 1; repeat <= goal.repeats(); repeat++) {
      for (ClusterArm arm :
          BalancedOrder.of(experiment.arms(), experiment.head().seeds().get(0), repeat)) {
        int now = repeat;
        double rate =
            clusters
                .of(arm)
                .whileAlive(
                    () -> {
                      armSwitch.to(arm);
                      double best = search(goal, arm, now, settings);
                      armSwitch.still(arm);
                      return best;
                    });
        found.get(arm).add(rate);
        rows.add(row(arm, Integer.toString(repeat), new Estimate(rate, Double.NaN, Double.NaN, 1)));
      }
    }
    for (Map.Entry<ClusterArm, List<Double>> entry : found.entrySet()) {
      double[] rates = entry.getValue().stream().mapToDouble(Double::doubleValue).toArray();
      Estimate median = Bootstrap.standard().median(rates);
      rows.add(row(entry.getKey(), RowKey.ALL, median));
      progress.step(words(entry.getKey().name(), goal, median));
    }
  }

  /** The result of an arm's searches in a line. */
  static String words(String arm, SaturationGoal goal, Estimate median) {
    return String.format(
        Locale.ROOT,
        "%s holds P%s <= %s %s (%s %.1f-%.1f, %d searches)",
        arm,
        number(goal.percentile()),
        Units.duration(goal.atMostNanos()),
        median.value() > 0
            ? String.format(Locale.ROOT, "up to %.1f requests/s", median.value())
            : "at no rate in most searches",
        median.isRange() ? "range" : "95 % interval",
        median.lo(),
        median.hi(),
        median.rounds());
  }

  private double search(SaturationGoal goal, ClusterArm arm, int repeat, LoadSettings settings)
      throws InterruptedException {
    LatencyGoal held =
        new LatencyGoal(goal.percentile(), goal.atMostNanos(), Saturation.MOST_FAILED_SHARE);
    long seed = experiment.head().seeds().get(0) * 1_000_003 + repeat;
    // The result of the lowest rate that failed, which the search tries last.
    AtomicReference<Optional<String>> late = new AtomicReference<>(Optional.empty());
    SaturationSearch.Result result =
        new SaturationSearch(goal.tolerance(), goal.trials())
            .search(
                experiment.requestsPerSecond(experiment.loads().get(0), workload),
                rate -> {
                  progress.now(
                      String.format(
                          Locale.ROOT,
                          "saturation, repeat %d of %d: %s at %.1f requests/s",
                          repeat,
                          goal.repeats(),
                          arm.name(),
                          rate));
                  LoadResult tried = run(arm, rate, seed, settings);
                  clusters.of(arm).cluster().checkAlive();
                  LoadMeasured.checkRows(
                      String.format(
                          Locale.ROOT, "saturation: %s at %.1f requests/s", arm.name(), rate),
                      tried);
                  SaturationSearch.Trial trial = held.judge(rate, tried);
                  if (!trial.holds()) {
                    late.set(late(arm.name(), rate, tried));
                  }
                  return trial;
                });
    late.get().ifPresent(progress::warning);
    doubt(arm.name(), result).ifPresent(progress::warning);
    return result.best().map(SaturationSearch.Trial::requestsPerSecond).orElse(0.0);
  }

  /**
   * The warning that a failed rate may be the generator's limit, if the generator itself was late;
   * otherwise empty.
   */
  static Optional<String> late(String arm, double rate, LoadResult tried) {
    Histogram latency = tried.all().latencyNanos();
    double medianUs = latency.getTotalCount() == 0 ? 0 : Histograms.percentileUs(latency, 50);
    return LateSends.matter(tried.lagUs(99), medianUs)
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "saturation: at %.1f/s, which %s did not hold, the load generator sent requests"
                    + " late itself (P99 %.1f ms): the result may be its limit; run it on cores"
                    + " that the nodes do not use",
                rate,
                arm,
                tried.lagUs(99) / 1e3))
        : Optional.empty();
  }

  /**
   * The reason why a search's result is not the highest rate of the arm; empty if it is the
   * highest.
   */
  static Optional<String> doubt(String arm, SaturationSearch.Result result) {
    if (result.best().isEmpty()) {
      double least = result.trials().get(result.trials().size() - 1).requestsPerSecond();
      return Optional.of(
          String.format(
              Locale.ROOT,
              "saturation: %s held the goal at no rate, down to %.1f/s, and the search counts as 0;"
                  + " lower the first of loads, or raise saturation.at-most or saturation.trials",
              arm,
              least));
    }
    return result.bracketed()
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "saturation: %s held the goal at %.1f/s, and the trials ended before a higher rate"
                    + " within the tolerance failed; raise saturation.trials",
                arm,
                result.best().get().requestsPerSecond()));
  }

  /** Runs the load as in a turn: with background work, and with disks without a limit at first. */
  private LoadResult run(ClusterArm arm, double rate, long seed, LoadSettings settings)
      throws InterruptedException {
    LoadedCluster cluster = clusters.of(arm);
    LoadRun requests =
        new LoadRun(workload.stream(rate, seed), cluster.target(arm), settings, look -> {});
    try (TimedRun storage = NodeStorage.turn(cluster.storage())) {
      storage.beginAfter(settings.warmUpNanos());
      LoadResult result =
          new MixedRun(
                  requests,
                  settings,
                  experiment.background(),
                  cluster.table(),
                  experiment.workload(),
                  seed)
              .run();
      storage.check();
      return result;
    }
  }

  private MetricRow row(ClusterArm arm, String repeat, Estimate value) {
    SaturationGoal goal = experiment.saturation();
    Load load = experiment.loads().get(0);
    String seed =
        repeat.equals(RowKey.ALL) ? RowKey.ALL : experiment.head().seeds().get(0).toString();
    return new MetricRow(
        new RowKey(experiment.head().name(), arm.name(), RowKey.ALL, load.label(), seed, repeat),
        "goal=p" + number(goal.percentile()) + ";limit_ms=" + number(goal.atMostNanos() / 1e6),
        "saturation_per_s",
        value.value(),
        value.lo(),
        value.hi());
  }

  private static String number(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
