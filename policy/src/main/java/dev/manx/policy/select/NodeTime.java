/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.facts.Slowness;

/**
 * How slow a read's replicas are, from the fact {@code slowness}: forecasts are of an average node,
 * and work at a node counts by the time that it takes there.
 *
 * <p>A node that never said counts as the mean of those that did. What is older than five seconds
 * moves towards that mean, by half of the distance every five seconds. Differences of less than a
 * tenth are noise and count as none, those of more than a fifth count in full. No node counts as
 * more than four times as fast or sixteen times as slow as the mean. All from the view, so that a
 * recorded decision can be made again.
 */
final class NodeTime {
  static final long FRESH_NANOS = 5_000_000_000L;
  static final double LEAST = 1.0 / 4;
  static final double MOST = 16;

  // Service times that scatter exponentially put nodes of one speed up to a tenth apart, and since
  // all coordinators hear the same, all of them would crowd the node that happens to look fast.
  private static final double NOISE = 0.1;

  private NodeTime() {}

  /** Notes in the request how slow the replicas in {@code [from, to)} are. */
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

  /** The same where it is far from 1, and 1 where it is close. */
  static double withoutNoise(double times) {
    if (times < 1) {
      return 1 / withoutNoise(1 / times);
    }
    double above = times - 1;
    return above >= 2 * NOISE ? times : 1 + Math.max(0, 2 * (above - NOISE));
  }

  /** A node's slowness over the mean. */
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
