/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How much slower than usual each backend answers: the recent mean latency of its misses over the
 * usual mean. The value is 1 for an unknown backend.
 *
 * <p>The usual mean follows a fall twelve times as fast as a rise, so that a backend slowed for
 * half an hour still counts as slow, and a recovered one is soon compared with its best again. The
 * recent mean covers a longer time if misses are rare. Confined to its policy's thread.
 */
final class Slowdowns {
  private static final double RISE_OVER_FALL = 12;

  private final double latelyNanos;
  private final double usuallyNanos;
  private final double leastMisses;
  private final long longestNanos;
  private final Map<String, Mean> means = new HashMap<>();
  private long lastNanos;

  /**
   * Starts without observations.
   *
   * @param latelyNanos time constant of the recent mean
   * @param usuallyNanos time constant of the usual mean on a rise
   * @param leastMisses least number of misses in a recent mean
   * @param longestNanos time that passes between two calls at most: after a stop of the process the
   *     misses of its last seconds, all slow, must not become usual at once
   */
  Slowdowns(long latelyNanos, long usuallyNanos, double leastMisses, long longestNanos) {
    this.leastMisses = leastMisses;
    this.longestNanos = longestNanos;
    this.latelyNanos = latelyNanos;
    this.usuallyNanos = usuallyNanos;
  }

  private final class Mean {
    private double misses;
    private double nanos;
    private double usual;

    private void add(double newMisses, double newNanos, double keep) {
      // If misses are few, older ones are kept until there are enough.
      double kept = misses * keep + newMisses;
      double keeps =
          kept >= leastMisses || misses == 0
              ? keep
              : Math.min(1, Math.max(keep, (leastMisses - newMisses) / misses));
      misses = misses * keeps + newMisses;
      nanos = nanos * keeps + newNanos;
    }

    private double slowdown(double elapsed) {
      double now = nanos / misses;
      if (misses < leastMisses) {
        return 1;
      }
      if (usual == 0) {
        usual = now;
      }
      double tau = now < usual ? usuallyNanos / RISE_OVER_FALL : usuallyNanos;
      usual += (now - usual) * -Math.expm1(-elapsed / tau);
      return usual > 0 ? now / usual : 1;
    }
  }

  /**
   * Takes the statistics since the last call: each miss once.
   *
   * @return by backend, in the order of the statistics
   */
  double[] update(long nowNanos, WindowStatistics seen) {
    List<String> backends = seen.backends();
    means.keySet().retainAll(backends);
    double elapsed =
        means.isEmpty() ? 0 : Math.max(0, Math.min(longestNanos, nowNanos - lastNanos));
    lastNanos = nowNanos;
    double keep = Math.exp(-elapsed / latelyNanos);
    double[] slowdowns = new double[backends.size()];
    for (int b = 0; b < slowdowns.length; b++) {
      Mean mean = means.computeIfAbsent(backends.get(b), name -> new Mean());
      double misses = seen.misses(b);
      mean.add(misses, misses > 0 ? misses * seen.meanMissNanos(b) : 0, keep);
      slowdowns[b] = mean.slowdown(elapsed);
    }
    return slowdowns;
  }
}
