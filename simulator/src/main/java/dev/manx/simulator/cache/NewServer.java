/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.cache;

import dev.manx.simulator.cache.CacheOutcome.Metric;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Observes how the last server's shares approach the mean shares of the others after its new start.
 * The distance of two divisions is the part of the cache that they give to different backends: half
 * the sum of the absolute differences.
 */
final class NewServer {
  private static final int[] MINUTES = {10, 20, 30, 60};
  private static final double PERCENT = 100;

  private final double startSecond;
  private final int backends;
  private final double firstPct;
  private final Map<Integer, Double> atMinute = new LinkedHashMap<>();
  private double nowPct;
  private double othersPct;

  /** Begins at the new start. */
  NewServer(double startSecond, int backends, AppServer[] servers) {
    this(startSecond, shares(backends, servers));
  }

  NewServer(double startSecond, double[][] shares) {
    this.startSecond = startSecond;
    this.backends = shares[0].length;
    look(shares);
    firstPct = nowPct;
  }

  void turn(double second, AppServer[] servers) {
    turn(second, shares(backends, servers));
  }

  void turn(double second, double[][] shares) {
    look(shares);
    double minutes = (second - startSecond) / 60;
    for (int minute : MINUTES) {
      if (minutes >= minute) {
        atMinute.putIfAbsent(minute, nowPct);
      }
    }
  }

  private static double[][] shares(int backends, AppServer[] servers) {
    double[][] shares = new double[servers.length][backends];
    for (int s = 0; s < servers.length; s++) {
      for (int b = 0; b < backends; b++) {
        shares[s][b] = servers[s].shareBytes(b);
      }
    }
    return shares;
  }

  private void look(double[][] shares) {
    int others = shares.length - 1;
    double[] mean = new double[backends];
    for (int s = 0; s < others; s++) {
      for (int b = 0; b < backends; b++) {
        mean[b] += shares[s][b] / others;
      }
    }
    nowPct = distancePct(shares[others], mean);
    othersPct = 0;
    for (int s = 0; s < others; s++) {
      othersPct += distancePct(shares[s], mean) / others;
    }
  }

  private static double distancePct(double[] one, double[] other) {
    double differences = 0;
    double sum = 0;
    for (int b = 0; b < one.length; b++) {
      differences += Math.abs(one[b] - other[b]);
      sum += one[b] + other[b];
    }
    return PERCENT * differences / sum;
  }

  /** The new server's distance from the others' mean, in percent of the cache. */
  double distancePct() {
    return nowPct;
  }

  /** The mean distance of the others from their own mean, in percent of the cache. */
  double othersPct() {
    return othersPct;
  }

  /** The results, for the minutes that the measured time contains. */
  List<Metric> metrics() {
    List<Metric> metrics = new ArrayList<>();
    metrics.add(new Metric("new_server_distance_pct", "minute=0", firstPct));
    atMinute.forEach(
        (minute, pct) -> {
          metrics.add(new Metric("new_server_distance_pct", "minute=" + minute, pct));
          if (firstPct > 0) {
            metrics.add(
                new Metric("new_server_left_pct", "minute=" + minute, PERCENT * pct / firstPct));
          }
        });
    metrics.add(new Metric("other_servers_distance_pct", "", othersPct));
    return metrics;
  }
}
