/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How much slower than usual each backend answers: the mean latency of its misses lately over what
 * it usually is. One for a backend that nothing is known of.
 *
 * <p>What is usual follows a fall twelve times as fast as a rise, so that a backend that is
 * squeezed for half an hour still counts as slow, and one that recovered is soon measured by its
 * own best. Where misses are rare, lately is longer. Confined to its policy's thread.
 */
final class Slowdowns {
  private static final double RISE_OVER_FALL = 12;

  private final double latelyNanos;
  private final double usuallyNanos;
  private final double leastMisses;
  private final Map<String, Mean> means = new HashMap<>();
  private long lastNanos;

  /**
   * Of nothing seen.
   *
   * @param latelyNanos time constant of the mean
   * @param usuallyNanos time constant at which a rise of the mean becomes usual
   * @param leastMisses that a mean is of
   */
  Slowdowns(long latelyNanos, long usuallyNanos, double leastMisses) {
    this.leastMisses = leastMisses;
    this.latelyNanos = latelyNanos;
    this.usuallyNanos = usuallyNanos;
  }

  private final class Mean {
    private double misses;
    private double nanos;
    private double usual;

    private void add(double newMisses, double newNanos, double keep) {
      // With few misses old ones stay until there are enough of them together.
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
   * Takes what was seen since the last call.
   *
   * @return by backend, in the order of the statistics
   */
  double[] update(long nowNanos, WindowStatistics seen) {
    List<String> backends = seen.backends();
    means.keySet().retainAll(backends);
    double elapsed = means.isEmpty() ? 0 : Math.max(0, nowNanos - lastNanos);
    lastNanos = nowNanos;
    double keep = Math.exp(-elapsed / latelyNanos);
    double[] slowdowns = new double[backends.size()];
    for (int b = 0; b < slowdowns.length; b++) {
      Mean mean = means.computeIfAbsent(backends.get(b), name -> new Mean());
      double misses = seen.misses(b);
      if (misses > 0) {
        mean.add(misses, misses * seen.meanMissNanos(b), keep);
      }
      slowdowns[b] = mean.slowdown(elapsed);
    }
    return slowdowns;
  }
}
