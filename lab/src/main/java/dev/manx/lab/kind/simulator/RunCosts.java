/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.simulator;

import dev.manx.lab.experiment.SettingPrefix;
import dev.manx.lab.experiment.Stopwatch;
import dev.manx.simulator.Outcome;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The costs of simulations. Any thread. */
final class RunCosts {
  private final Stopwatch sinceStart = new Stopwatch();
  private final Map<String, double[]> byName = new TreeMap<>();
  private long reads;
  private int runs;

  synchronized void add(String name, Outcome.Cost cost) {
    runs++;
    reads += cost.reads();
    double[] sums = byName.computeIfAbsent(name, k -> new double[4]);
    sums[0] += cost.reads();
    sums[1] += cost.cpuNanos();
    sums[2] += cost.wallNanos();
    sums[3] += cost.allocatedBytes();
  }

  /** Speed and memory by name, and in total; empty before the first run. */
  synchronized Map<String, String> lines() {
    Map<String, String> lines = new LinkedHashMap<>();
    double[] all = new double[4];
    byName.forEach(
        (name, sums) -> {
          for (int i = 0; i < all.length; i++) {
            all[i] += sums[i];
          }
          lines.put(name, cost(sums));
        });
    if (runs > 0) {
      lines.put(
          SettingPrefix.ALL_RUNS,
          String.format(
              Locale.ROOT,
              "%s; %d runs, %.1f M reads in %.1f s",
              cost(all),
              runs,
              reads / 1e6,
              seconds()));
    }
    return lines;
  }

  /** Formats reads, CPU nanoseconds, wall-clock nanoseconds and bytes for users. */
  private static String cost(double[] sums) {
    return String.format(
        Locale.ROOT,
        "%.2f M reads per second of one core (%.2f M on the wall clock), %.1f bytes allocated per"
            + " read",
        sums[0] * 1e3 / Math.max(1, sums[1]),
        sums[0] * 1e3 / Math.max(1, sums[2]),
        sums[3] / Math.max(1, sums[0]));
  }

  private double seconds() {
    return sinceStart.seconds();
  }

  synchronized String words() {
    return String.format(
        Locale.ROOT, "%.1f M reads, %.2f M reads/s", reads / 1e6, reads / seconds() / 1e6);
  }
}
