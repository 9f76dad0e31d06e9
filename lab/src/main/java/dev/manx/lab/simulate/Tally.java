/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.simulate;

import dev.manx.lab.run.Progress;
import dev.manx.simulator.Check;
import dev.manx.simulator.Outcome;
import dev.manx.workload.result.RowKey;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Counts what has ended, what the checkers said, and what it cost. Any thread. */
final class Tally {
  private static final int BAR = 24;

  private final Progress progress;
  private final long startNanos = System.nanoTime();
  private final Map<String, int[]> checks = new LinkedHashMap<>();
  private final Map<String, double[]> costs = new TreeMap<>();
  private int expected;
  private int ended;
  private long reads;

  Tally(Progress progress) {
    this.progress = progress;
  }

  synchronized void expect(int runs) {
    expected = runs;
  }

  synchronized void ended(RowKey key, String params, long seed, Outcome outcome) {
    ended++;
    Outcome.Cost cost = outcome.cost();
    reads += cost.reads();
    double[] sums = costs.computeIfAbsent(name(key, params), k -> new double[4]);
    sums[0] += cost.reads();
    sums[1] += cost.cpuNanos();
    sums[2] += cost.wallNanos();
    sums[3] += cost.allocatedBytes();
    int done = expected == 0 ? 0 : ended * BAR / expected;
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    progress.now(
        String.format(
            Locale.ROOT,
            "[%s%s] %d/%d  %.2f M reads/s  %s left  (%s %s seed %d)",
            "#".repeat(done),
            ".".repeat(BAR - done),
            ended,
            expected,
            reads / seconds / 1e6,
            left(seconds),
            key.arm(),
            key.load(),
            seed));
  }

  private static String name(RowKey key, String params) {
    return key.arm() + " at " + key.load() + (params.isEmpty() ? "" : ", " + params);
  }

  private String left(double seconds) {
    double rest = expected == 0 ? 0 : seconds / ended * (expected - ended);
    return rest < 90
        ? Math.round(rest) + " s"
        : String.format(Locale.ROOT, "%.0f min", Math.ceil(rest / 60));
  }

  synchronized void check(RowKey key, long seed, Check check) {
    int[] counts = checks.computeIfAbsent(check.name(), k -> new int[2]);
    counts[check.holds() ? 0 : 1]++;
    if (!check.holds()) {
      progress.step(
          "CHECK FAILED: "
              + check.name()
              + ": "
              + check.detail()
              + " ("
              + String.join(", ", key.arm(), key.load(), "seed " + seed)
              + ")");
    }
  }

  /** What the checkers said over all runs, one line each. */
  synchronized Map<String, String> checks() {
    Map<String, String> lines = new LinkedHashMap<>();
    checks.forEach(
        (name, counts) ->
            lines.put(
                name,
                counts[1] == 0
                    ? "holds in all " + counts[0] + " runs"
                    : "FAILS in " + counts[1] + " of " + (counts[0] + counts[1]) + " runs"));
    return lines;
  }

  /** Speed and memory of each arm at each load and point of the sweep, and of all runs together. */
  synchronized Map<String, String> costs() {
    Map<String, String> lines = new LinkedHashMap<>();
    double[] all = new double[4];
    costs.forEach(
        (name, sums) -> {
          for (int i = 0; i < all.length; i++) {
            all[i] += sums[i];
          }
          lines.put(name, cost(sums));
        });
    lines.put(
        "all runs",
        String.format(
            Locale.ROOT,
            "%s; %d runs, %.1f M reads in %.1f s",
            cost(all),
            ended,
            reads / 1e6,
            (System.nanoTime() - startNanos) / 1e9));
    return lines;
  }

  /** Reads, CPU nanoseconds, nanoseconds on the wall clock and bytes, as people read them. */
  private static String cost(double[] sums) {
    return String.format(
        Locale.ROOT,
        "%.2f M reads per second of one core (%.2f M on the wall clock), %.1f bytes allocated per"
            + " read",
        sums[0] * 1e3 / Math.max(1, sums[1]),
        sums[0] * 1e3 / Math.max(1, sums[2]),
        sums[3] / Math.max(1, sums[0]));
  }

  synchronized void end() {
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    progress.step(
        String.format(
            Locale.ROOT,
            "%d runs, %.1f M reads in %.1f s: %.2f M reads/s",
            ended,
            reads / 1e6,
            seconds,
            reads / seconds / 1e6));
    checks().forEach((name, line) -> progress.step("check: " + name + " " + line));
  }
}
