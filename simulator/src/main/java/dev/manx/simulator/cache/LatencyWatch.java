/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.cache;

import java.util.Arrays;
import java.util.List;

/**
 * Percentiles of request latency over the last minute, every five seconds (RobinHood section 5):
 * exact, from all latencies of twelve slots of time.
 */
final class LatencyWatch {
  static final int SLOTS = 12;
  static final double SLOT_SECONDS = 5;

  private final List<Slo> slos;
  private final long[][] slots = new long[SLOTS][1 << 10];
  private final int[] sizes = new int[SLOTS];
  private final double[] now;
  private final double[] worst;
  private final long[] violations;
  private long[] together = new long[1 << 12];
  private int slot;
  private int filled = 1;
  private long samples;

  LatencyWatch(List<Slo> slos) {
    this.slos = slos;
    now = new double[slos.size()];
    worst = new double[slos.size()];
    violations = new long[slos.size()];
  }

  void ended(long latencyNanos) {
    if (sizes[slot] == slots[slot].length) {
      slots[slot] = Arrays.copyOf(slots[slot], sizes[slot] * 2);
    }
    slots[slot][sizes[slot]++] = latencyNanos;
  }

  /** Ends a slot; the percentiles cover the last {@link #SLOTS}. */
  void turn(boolean measured) {
    int all = 0;
    for (int i = 0; i < filled; i++) {
      if (all + sizes[i] > together.length) {
        together = Arrays.copyOf(together, 2 * (all + sizes[i]));
      }
      System.arraycopy(slots[i], 0, together, all, sizes[i]);
      all += sizes[i];
    }
    Arrays.sort(together, 0, all);
    for (int i = 0; i < now.length; i++) {
      now[i] =
          all == 0
              ? Double.NaN
              : together[(int) Math.max(0, Math.ceil(slos.get(i).quantile() * all) - 1)];
      if (measured && all > 0) {
        worst[i] = Math.max(worst[i], now[i]);
        violations[i] += now[i] > slos.get(i).nanos() ? 1 : 0;
      }
    }
    samples += measured && all > 0 ? 1 : 0;
    slot = (slot + 1) % SLOTS;
    filled = Math.min(SLOTS, filled + 1);
    sizes[slot] = 0;
  }

  /** The percentile of a goal at the last turn, nanoseconds. */
  double nowNanos(int slo) {
    return now[slo];
  }

  /** The highest of the measured percentiles. */
  double worstNanos(int slo) {
    return worst[slo];
  }

  /** Share of measured turns at which the goal was missed, percent. */
  double violationPct(int slo) {
    return samples == 0 ? Double.NaN : 100.0 * violations[slo] / samples;
  }
}
