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
 * twice their median; if there are none, of all values. A node that never reported counts as that
 * mean, and an older value moves towards it, by half of the distance every five seconds; of two
 * values, the larger is then taken as at most twice the smaller. Differences of less than a tenth
 * are noise and are ignored; those of more than a fifth count in full. The limits are four times as
 * fast as the mean, or as fast as forecast if that is faster still, and sixteen times as slow. All
 * inputs come from the view, so that a recorded decision can be replayed.
 */
/*
 * At most twice the median, because one replica can be arbitrarily slow: with 50, 1 and 1 the mean
 * would be 17, the two healthy nodes below a quarter of it, and at that limit their reads would
 * count four times. For the same reason a node that was slow when it fell silent does not count:
 * its own value would keep the target of its return too high. The median itself will not do:
 * relative to it the noise of one node's value counts in full, relative to the mean only by two
 * thirds. With sizes wrong by sigma 1, the 99.9th percentile was up to 1.25 times as long.
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
    long[] sorted = request.scratch(to - from);
    int known = gather(request, from, to, view, sorted);
    if (known == 0) {
      return;
    }
    double lower = sorted[(known - 1) / 2];
    double usual = mean(sorted, known, lower + sorted[known / 2]);
    // Next to one slow replica, a replica that has restarted would otherwise count as half as slow.
    double unknown = Math.min(usual, mean(sorted, known, 2 * lower));
    int[] replicas = request.replicas();
    for (int i = from; i < to; i++) {
      double times = times(view, replicas[i], usual, unknown / usual, request.nowNanos());
      request.slowness(replicas[i], times * usual / Slowness.UNIT);
    }
  }

  /** Puts the fresh values, or all if none is fresh, in ascending order; returns their number. */
  private static int gather(Request request, int from, int to, ClusterView view, long[] sorted) {
    int[] replicas = request.replicas();
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
    return known;
  }

  private static double mean(long[] values, int count, double most) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += Math.min(most, values[i]);
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

  /**
   * A node's slowness divided by the usual one.
   *
   * @param unknown the slowness of a node that has not reported
   */
  private static double times(
      ClusterView view, int node, double usual, double unknown, long nowNanos) {
    long value = view.value(FactColumn.SLOWNESS, node);
    if (value <= 0) {
      return unknown;
    }
    double least = Math.min(LEAST, Slowness.UNIT / usual);
    double times = Math.max(least, Math.min(MOST, withoutNoise(value / usual)));
    long age = view.ageNanos(FactColumn.SLOWNESS, node, nowNanos);
    return age <= FRESH_NANOS
        ? times
        : unknown + (times - unknown) * Math.pow(2, (double) (FRESH_NANOS - age) / FRESH_NANOS);
  }
}
