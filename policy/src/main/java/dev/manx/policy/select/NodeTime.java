/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.facts.Slowness;

/**
 * How slow a read's replicas are, from the fact {@code slowness}: forecasts are for an average
 * node, and work at a node counts with its actual time there.
 *
 * <p>A node that never reported counts as the mean of those that did. A value older than five
 * seconds moves towards that mean, by half of the distance every five seconds. Differences of less
 * than a tenth are noise and are ignored; those of more than a fifth count in full. The limits are
 * four times as fast and sixteen times as slow as the mean. All inputs come from the view, so that
 * a recorded decision can be replayed.
 */
final class NodeTime {
  static final long FRESH_NANOS = 5_000_000_000L;
  static final double LEAST = 1.0 / 4;
  static final double MOST = 16;

  // Service times that scatter exponentially put nodes of one speed up to a tenth apart, and since
  // all coordinators get the same values, all of them would crowd the node that happens to look
  // fast.
  private static final double NOISE = 0.1;

  private NodeTime() {}

  /** Sets in the request how slow the replicas in {@code [from, to)} are. */
  static void note(Request request, int from, int to, ClusterView view) {
    int[] replicas = request.replicas();
    double sum = 0;
    int known = 0;
    for (int i = from; i < to; i++) {
      long value = view.value(FactColumn.SLOWNESS, replicas[i]);
      if (value > 0) {
        sum += value;
        known++;
      }
    }
    if (known == 0) {
      return;
    }
    double mean = sum / known;
    for (int i = from; i < to; i++) {
      double times = times(view, replicas[i], mean, request.nowNanos());
      request.slowness(replicas[i], times * mean / Slowness.UNIT);
    }
  }

  /** The ratio if it is far from 1, and 1 if it is close. */
  static double withoutNoise(double times) {
    if (times < 1) {
      return 1 / withoutNoise(1 / times);
    }
    double above = times - 1;
    return above >= 2 * NOISE ? times : 1 + Math.max(0, 2 * (above - NOISE));
  }

  /** A node's slowness divided by the mean. */
  private static double times(ClusterView view, int node, double mean, long nowNanos) {
    long value = view.value(FactColumn.SLOWNESS, node);
    if (value <= 0) {
      return 1;
    }
    double times = Math.max(LEAST, Math.min(MOST, withoutNoise(value / mean)));
    long age = view.ageNanos(FactColumn.SLOWNESS, node, nowNanos);
    return age <= FRESH_NANOS
        ? times
        : 1 + (times - 1) * Math.pow(2, (double) (FRESH_NANOS - age) / FRESH_NANOS);
  }
}
