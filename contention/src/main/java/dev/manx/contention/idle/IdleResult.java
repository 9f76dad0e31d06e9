/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.idle;

import dev.manx.contention.idle.WorkerResult.OfThread;
import dev.manx.contention.squeeze.SqueezeReport;
import dev.manx.workload.result.Histograms;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The result of one turn. Latencies are of the operations intended in its window; throughput is of
 * those that ended in it. Immutable.
 */
public final class IdleResult {
  private final List<OfThread> threads;
  private final long ended;
  private final WaitingLoad load;
  private final long windowStartNanos;
  private final SqueezeReport squeezed;
  private final Safepoints safepoints;

  IdleResult(
      WorkerResult worker,
      WaitingLoad load,
      long windowStartNanos,
      SqueezeReport squeezed,
      Safepoints safepoints) {
    this.threads = worker.threads().stream().map(thread -> window(thread, load)).toList();
    this.ended = worker.threads().stream().mapToLong(thread -> ended(thread, load)).sum();
    this.load = load;
    this.windowStartNanos = windowStartNanos;
    this.squeezed = squeezed;
    this.safepoints = safepoints;
  }

  /** Operations intended. */
  public long offered() {
    return threads.stream().mapToLong(thread -> thread.intendedNanos().length).sum();
  }

  /** The operations intended in the window; times are since its start. */
  private static OfThread window(OfThread thread, WaitingLoad load) {
    int from = 0;
    while (from < thread.intendedNanos().length
        && thread.intendedNanos()[from] < load.warmUpNanos()) {
      from++;
    }
    int count = thread.intendedNanos().length - from;
    long[] intended = new long[count];
    long[] latency = new long[count];
    for (int i = 0; i < count; i++) {
      intended[i] = thread.intendedNanos()[from + i] - load.warmUpNanos();
      latency[i] = thread.latencyNanos()[from + i];
    }
    return new OfThread(thread.boosted(), thread.waits(), thread.checks(), intended, latency);
  }

  private static long ended(OfThread thread, WaitingLoad load) {
    long ended = 0;
    for (int i = 0; i < thread.intendedNanos().length; i++) {
      long latency = thread.latencyNanos()[i];
      long end = thread.intendedNanos()[i] + latency - load.warmUpNanos();
      if (latency >= 0 && end >= 0 && end < load.windowNanos()) {
        ended++;
      }
    }
    return ended;
  }

  /** Operations not done when the worker stopped waiting for them. */
  public long notDone() {
    return threads.stream()
        .flatMapToLong(thread -> Arrays.stream(thread.latencyNanos()))
        .filter(latency -> latency < 0)
        .count();
  }

  /** Operations that ended in the window, whenever they were intended. */
  public long ended() {
    return ended;
  }

  /** These operations per second of the window. */
  public double throughputPerSecond() {
    return ended / (load.windowNanos() / 1e9);
  }

  /** Latency from the intended start; for operations not done, until the worker stopped waiting. */
  public Histogram latencyNanos() {
    return histogram(0, Long.MAX_VALUE, true, true);
  }

  /** Latency of the threads that may be boosted, or of the others. */
  public Histogram latencyNanos(boolean boosted) {
    return histogram(0, Long.MAX_VALUE, boosted, !boosted);
  }

  /**
   * Latency by the intended time, in slices of the window.
   *
   * @param sliceNanos length of a slice
   */
  public List<Histogram> latencyOverTime(long sliceNanos) {
    List<Histogram> slices = new ArrayList<>();
    for (long from = 0; from < load.windowNanos(); from += sliceNanos) {
      slices.add(histogram(from, from + sliceNanos, true, true));
    }
    return slices;
  }

  private Histogram histogram(long fromNanos, long toNanos, boolean boosted, boolean others) {
    Histogram histogram = Histograms.create();
    for (OfThread thread : threads) {
      if (!(thread.boosted() ? boosted : others)) {
        continue;
      }
      for (int i = 0; i < thread.intendedNanos().length; i++) {
        long intended = thread.intendedNanos()[i];
        if (intended >= fromNanos && intended < toNanos) {
          long latency = thread.latencyNanos()[i];
          long givenUp = load.windowNanos() + load.drainNanos() - intended;
          Histograms.record(histogram, latency >= 0 ? latency : givenUp);
        }
      }
    }
    return histogram;
  }

  /** Operations that had to wait for another thread, including the warm-up. */
  public long waits() {
    return threads.stream().mapToLong(OfThread::waits).sum();
  }

  /** Checks without success by those operations. */
  public long checks() {
    return threads.stream().mapToLong(OfThread::checks).sum();
  }

  /**
   * When some threads had another nice level: start and end in seconds of the window; else empty.
   */
  public double[] boostedSeconds() {
    if (squeezed == null || squeezed.boostedNanos() == 0) {
      return new double[0];
    }
    long end = squeezed.unboostedNanos() > 0 ? squeezed.unboostedNanos() : squeezed.restoredNanos();
    return new double[] {
      (squeezed.boostedNanos() - windowStartNanos) / 1e9, (end - windowStartNanos) / 1e9
    };
  }

  /** The worker JVM's own pauses in the window. */
  public Safepoints safepoints() {
    return safepoints;
  }
}
