/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.oracle;

import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Values;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.facts.FactColumn;
import java.util.List;

/**
 * The coordinator's forecast of a read's service time: one value for small and one for large reads.
 *
 * <p>Each value is the mean over the nodes that reported lately, since the node that will serve a
 * read is not yet known when its cost is forecast. A timer recomputes it; any thread reads it.
 * Never 0.
 */
public final class Forecast {
  /** The forecast's settings; every strategy has a forecast. */
  public static final List<Setting> SETTINGS =
      List.of(
          Setting.duration(
              "small-default",
              "1ms",
              "1ns",
              "1min",
              "service time of a small read until nodes report theirs"),
          Setting.duration(
              "large-default",
              "4ms",
              "1ns",
              "1min",
              "service time of a large read until nodes report theirs"));

  /** A fact older than this no longer counts. */
  public static final long MAX_AGE_NANOS = 10_000_000_000L;

  private volatile long smallNanos;
  private volatile long largeNanos;

  /** Starts with guesses, which are used until a node reports. */
  public Forecast(long smallDefaultNanos, long largeDefaultNanos) {
    smallNanos = Math.max(1, smallDefaultNanos);
    largeNanos = Math.max(1, largeDefaultNanos);
  }

  /** Starts with the guesses of these {@link #SETTINGS}. */
  public static Forecast of(Values settings) {
    return new Forecast(settings.number("small-default"), settings.number("large-default"));
  }

  /** Forecast service time of a read that is not large. */
  public long smallNanos() {
    return smallNanos;
  }

  /** Forecast service time of a large read. */
  public long largeNanos() {
    return largeNanos;
  }

  /**
   * Applies the facts of nodes 0 to {@code nodes - 1}; without a fresh fact the last value stays.
   */
  public void recompute(ClusterView view, int nodes, long nowNanos) {
    smallNanos = mean(view, FactColumn.SERVICE_TIME_SMALL, nodes, nowNanos, smallNanos);
    largeNanos = mean(view, FactColumn.SERVICE_TIME_LARGE, nodes, nowNanos, largeNanos);
  }

  private static long mean(
      ClusterView view, FactColumn column, int nodes, long nowNanos, long otherwise) {
    double sum = 0;
    int reported = 0;
    for (int node = 0; node < Math.min(nodes, view.capacity()); node++) {
      long value = view.value(column, node);
      if (value > 0 && view.ageNanos(column, node, nowNanos) < MAX_AGE_NANOS) {
        sum += value;
        reported++;
      }
    }
    return reported == 0 ? otherwise : Math.max(1, Math.round(sum / reported));
  }
}
