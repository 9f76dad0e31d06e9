/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.lab.experiment.Measured;
import dev.manx.lab.kind.WindowStart;
import dev.manx.lab.kind.cachelive.LiveArmRun.Counts;
import dev.manx.load.LoadProgress;
import dev.manx.simulator.Outcome;
import dev.manx.workload.result.Histograms;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * Observes one turn: the timeline of P99, shares, blocking counts and hits, and separate latencies
 * for requests intended while a backend was squeezed, late, erring or shifted, and for the others.
 */
final class LiveWatch implements LoadProgress.Listener, LiveTarget.Listener {
  private static final double MIB = 1 << 20;

  private final LiveArmRun run;
  private final LiveSettings settings;
  private final long windowNanos;
  private final BooleanSupplier squeezed;
  private final Consumer<String> now;
  private final Map<Phase, Histogram> phaseNanos = new LinkedHashMap<>();
  private final Histogram calmNanos = Histograms.createConcurrent();

  // Guarded by {@code this}: the progress thread writes, the runner reads at the end.
  private final List<Outcome.Point> timeline = new ArrayList<>();
  private final WindowStart<Map<String, Counts>> start;
  private final GoalShare goal;
  private Map<String, Counts> before;
  private Overhead overhead;
  private long failedBefore;

  /** Creates a watch for a turn whose first request comes next. */
  LiveWatch(
      LiveArmRun run,
      LiveSettings settings,
      long windowNanos,
      BooleanSupplier squeezed,
      Consumer<String> now) {
    this.run = run;
    this.settings = settings;
    this.windowNanos = windowNanos;
    this.squeezed = squeezed;
    this.now = now;
    goal = new GoalShare(settings.goalNanos());
    settings.phases().forEach(phase -> phaseNanos.put(phase, Histograms.createConcurrent()));
    start = new WindowStart<>(settings.warmUpNanos(), this::begin);
  }

  private Map<String, Counts> begin() {
    overhead = new Overhead(run);
    before = run.stats();
    return before;
  }

  @Override
  public void ended(long intendedNanos, long latencyNanos) {
    long since = intendedNanos - settings.warmUpNanos();
    if (since >= 0) {
      boolean calm = true;
      for (Map.Entry<Phase, Histogram> phase : phaseNanos.entrySet()) {
        if (phase.getKey().holds(since)) {
          calm = false;
          Histograms.record(phase.getValue(), latencyNanos);
        }
      }
      if (calm) {
        Histograms.record(calmNanos, latencyNanos);
      }
    }
  }

  @Override
  public synchronized void accept(LoadProgress look) {
    now.accept(
        look.words()
            + (squeezed.getAsBoolean() ? "  squeezed" : "")
            + (look.failed() > 0 ? "  " + look.failed() + " failed" : ""));
    if (start.value() != null && look.intervalNanos() > 0) {
      Map<String, Counts> stats = run.stats();
      double seconds = look.sinceWindowNanos() / 1e9;
      rows(seconds, look, stats);
      before = stats;
      if (seconds <= windowNanos / 1e9 + 0.5) {
        goal.add(look, look.failed() - failedBefore);
      }
    }
    start.accept(look);
    failedBefore = look.failed();
  }

  private void rows(double seconds, LoadProgress look, Map<String, Counts> stats) {
    double p99Ms = look.p99Millis();
    if (!Double.isNaN(p99Ms)) {
      row(seconds, "client", "p99_ms", p99Ms);
    }
    double interval = look.intervalNanos() / 1e9;
    stats.forEach(
        (name, stat) -> {
          Counts last = before.get(name);
          if (run.partitions()) {
            row(seconds, name, "share_mib", stat.shareBytes() / MIB);
          }
          row(seconds, name, "blocked_per_s", (stat.blocked() - last.blocked()) / interval);
          row(seconds, name, "misses_per_s", (stat.misses() - last.misses()) / interval);
          long keys = stat.hits() + stat.misses() - last.hits() - last.misses();
          if (keys > 0) {
            row(seconds, name, "hit_pct", 100.0 * (stat.hits() - last.hits()) / keys);
          }
        });
    if (settings.squeeze() != null) {
      Phase squeeze = settings.squeeze();
      row(seconds, squeeze.backend(), squeeze.word(), squeezed.getAsBoolean() ? 1 : 0);
    }
    for (Phase phase : settings.faults().phases()) {
      boolean on = phase.holds(look.sinceWindowNanos());
      row(seconds, phase.backend(), phase.word(), on ? 1 : 0);
    }
  }

  private void row(double seconds, String entity, String metric, double value) {
    timeline.add(
        new Outcome.Point(
            Math.round(seconds * 1e3) / 1e3, entity, metric, Math.round(value * 1e3) / 1e3));
  }

  /** Adds the results that the load generator does not provide. */
  synchronized void into(Measured measured) {
    measured.timeline(timeline);
    Map<String, Double> metrics = new TreeMap<>();
    percentiles(metrics, "calm", calmNanos);
    phaseNanos.forEach((phase, nanos) -> percentiles(metrics, phase.word(), nanos));
    backends(metrics);
    measured.metrics(metrics);
    overhead.into(measured);
    goal.into(measured);
  }

  private void backends(Map<String, Double> metrics) {
    Map<String, Counts> end = run.stats();
    Map<String, Counts> first = start.value();
    long blockedInAll =
        end.entrySet().stream()
            .mapToLong(e -> e.getValue().blocked() - first.get(e.getKey()).blocked())
            .sum();
    end.forEach(
        (name, stat) -> {
          Counts from = first.get(name);
          long hits = stat.hits() - from.hits();
          long keys = hits + stat.misses() - from.misses();
          if (keys > 0) {
            metrics.put("hit_pct_" + name, 100.0 * hits / keys);
          }
          if (blockedInAll > 0) {
            metrics.put(
                "blocked_pct_" + name, 100.0 * (stat.blocked() - from.blocked()) / blockedInAll);
          }
          if (run.partitions()) {
            metrics.put("share_mib_end_" + name, stat.shareBytes() / MIB);
          }
        });
  }

  private static void percentiles(Map<String, Double> metrics, String phase, Histogram nanos) {
    if (nanos.getTotalCount() > 0) {
      metrics.put("p50_ms_" + phase, Histograms.percentileUs(nanos, 50) / 1e3);
      metrics.put("p99_ms_" + phase, Histograms.percentileUs(nanos, 99) / 1e3);
    }
  }
}
