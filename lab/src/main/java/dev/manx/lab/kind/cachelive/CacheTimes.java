/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.client.Backend;
import dev.manx.client.LatencyListener;
import dev.manx.lab.experiment.Measured;
import dev.manx.workload.result.Histograms;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * Latencies of hits by backend, and times of decisions from the decision until the stores have
 * carried it out. Thread-safe.
 */
final class CacheTimes {
  private static final double MIB = 1 << 20;
  private static final long MOVE_GOAL_NANOS = 5_000_000_000L;

  private final Map<String, Histogram> hitNanos = new ConcurrentHashMap<>();
  private final Histogram moveNanos = Histograms.createConcurrent();
  private final Histogram moveNanosPerMib = Histograms.createConcurrent();
  private final LongAdder movesInTime = new LongAdder();
  private final LongAdder movedBytes = new LongAdder();

  /** Passes a cache's latencies to the present times. */
  static final class Following implements LatencyListener {
    private final Supplier<CacheTimes> present;

    Following(Supplier<CacheTimes> present) {
      this.present = present;
    }

    @Override
    public void request(long nanos) {}

    @Override
    public void query(Backend<?, ?> backend, long nanos) {}

    @Override
    public void load(Backend<?, ?> backend, long nanos) {}

    @Override
    public void hit(Backend<?, ?> backend, long nanos) {
      present.get().hit(backend.name(), nanos);
    }

    @Override
    public void moved(long bytes, long nanos) {
      present.get().moved(bytes, nanos);
    }
  }

  void hit(String backend, long nanos) {
    Histograms.record(
        hitNanos.computeIfAbsent(backend, name -> Histograms.createConcurrent()), nanos);
  }

  void moved(long bytes, long nanos) {
    Histograms.record(moveNanos, nanos);
    Histograms.record(moveNanosPerMib, Math.round(nanos / Math.max(1, bytes / MIB)));
    movedBytes.add(bytes);
    if (nanos <= MOVE_GOAL_NANOS) {
      movesInTime.increment();
    }
  }

  /** Adds the results. */
  void into(Measured measured) {
    new TreeMap<>(hitNanos)
        .forEach(
            (name, nanos) -> {
              String params = "backend=" + name;
              measured.metric("hit_p50_us", params, Histograms.percentileUs(nanos, 50));
              measured.metric("hit_p99_us", params, Histograms.percentileUs(nanos, 99));
            });
    long moves = moveNanos.getTotalCount();
    if (moves > 0) {
      measured
          .metric("moves", moves)
          .metric("moved_mib", movedBytes.sum() / MIB)
          .metric("move_p95_ms", Histograms.percentileUs(moveNanos, 95) / 1e3)
          .metric("move_p95_ms_per_mib", Histograms.percentileUs(moveNanosPerMib, 95) / 1e3)
          .metric("move_within_5s_pct", 100.0 * movesInTime.sum() / moves);
    }
  }
}
