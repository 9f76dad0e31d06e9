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
 * <p>Nodes are compared with the mean of the values of the last five seconds, each taken as at most
 * twice their lower median; if there are none, of all values. A node that never reported counts as that
 * mean. An older value moves towards it, by half of the distance every five seconds. Differences of
 * less than a tenth are noise and are ignored; those of more than a fifth count in full. The limits
 * are four times as fast as the mean, or as fast as forecast if that is faster still, and sixteen
 * times as slow. All inputs come from the view, so that a recorded decision can be replayed.
 */
/*
 * At most twice the median, because one replica can be arbitrarily slow: with 50, 1 and 1 the mean
 * would be 17, the two healthy nodes below a quarter of it, and at that limit their reads would
 * count four times. For the same reason a node that was slow when it fell silent does not count:
 * its own value would keep the target of its return too high. The median itself will not do: noise
 * of one node's value counts in full against it, and by two thirds against the mean. With sizes
 * wrong by sigma 1, the 99.9th percentile was up to 1.25 times as long.
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
    double usual = usual(request, from, to, view);
    if (usual == 0) {
      return;
    }
    int[] replicas = request.replicas();
    for (int i = from; i < to; i++) {
      double times = times(view, replicas[i], usual, request.nowNanos());
      request.slowness(replicas[i], times * usual / Slowness.UNIT);
    }
  }

  /** The mean of the fresh values, or of all if none is fresh; 0 if there are none. */
  private static double usual(Request request, int from, int to, ClusterView view) {
    int[] replicas = request.replicas();
    long[] sorted = request.scratch(to - from);
    int known = 0;
    boolean fresh = false;
    for (int i = from; i < to; i++) {
      long value = view.value(FactColumn.SLOWNESS, replicas[i]);
      if (value <= 0) {
        continue;
      }
      long age = view.ageNanos(FactColumn.SLOWNESS, replicas[i], request.nowNanos());
      if (age <= FRESH_NANOS && !fresh) {
        fresh = true;
        known = 0;
      }
      if (fresh == age <= FRESH_NANOS) {
        insert(sorted, known++, value);
      }
    }
    return known == 0 ? 0 : mean(sorted, known);
  }

  /** The mean of ascending values, each taken as at most twice their lower median. */
  private static double mean(long[] sorted, int count) {
    // Of two in the middle the lower: beside one slow replica, a third one that has not reported
    // yet would otherwise count as half as slow.
    double most = 2.0 * sorted[(count - 1) / 2];
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += Math.min(most, sorted[i]);
    }
    return sum / count;
  }

  /** Inserts a value into the first {@code count} values, which are ascending. */
  private static void insert(long[] sorted, int count, long value) {
    int place = count;
    while (place > 0 && sorted[place - 1] > value) {
      sorted[place] = sorted[place - 1];
      place--;
    }
    sorted[place] = value;
  }

  /** The ratio if it is far from 1, and 1 if it is close. */
  static double withoutNoise(double times) {
    if (times < 1) {
      return 1 / withoutNoise(1 / times);
    }
    double above = times - 1;
    return above >= 2 * NOISE ? times : 1 + Math.max(0, 2 * (above - NOISE));
  }

  /** A node's slowness divided by the usual one. */
  private static double times(ClusterView view, int node, double usual, long nowNanos) {
    long value = view.value(FactColumn.SLOWNESS, node);
    if (value <= 0) {
      return 1;
    }
    double least = Math.min(LEAST, Slowness.UNIT / usual);
    double times = Math.max(least, Math.min(MOST, withoutNoise(value / usual)));
    long age = view.ageNanos(FactColumn.SLOWNESS, node, nowNanos);
    return age <= FRESH_NANOS
        ? times
        : 1 + (times - 1) * Math.pow(2, (double) (FRESH_NANOS - age) / FRESH_NANOS);
  }
}
