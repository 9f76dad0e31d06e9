/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import dev.manx.contention.watch.ProcessActivity;
import dev.manx.contention.watch.Starvation;
import dev.manx.contention.watch.ThreadUse;
import dev.manx.operate.text.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A sample of a process as table, CSV or JSON. */
final class WatchText {
  static final String CSV_HEADER =
      "t_s,tid,name,state,nice,cpus,ran_pct,waited_pct,left_per_s,taken_per_s,mark,throttled_pct,"
          + "scheduling";

  private WatchText() {}

  /**
   * A table for users.
   *
   * @param top largest number of threads shown; the rest is summed up
   */
  static String table(long pid, ProcessActivity look, int top) {
    Starvation found = Starvation.in(look);
    StringBuilder out = new StringBuilder();
    out.append(
        String.format(
            Locale.ROOT,
            "process %d: %s, %.2f of %d cores used (idle %s), %.2f threads waiting for one%s%n",
            pid,
            threads(look.threads().size()),
            look.ran(),
            look.cores(),
            Double.isNaN(look.idle()) ? "unknown" : percent(look.idle()),
            look.waited(),
            Double.isNaN(look.throttled())
                ? ""
                : String.format(
                    Locale.ROOT,
                    ", throttled %s by a quota of %.2f cores",
                    percent(look.throttled()),
                    look.quotaCores())));
    out.append(
        String.format(
            "%7s  %-15s %s %8s  %-9s %6s %7s %8s %8s  mark%n",
            "tid", "name", "s", "nice", "cores", "ran", "waited", "left/s", "taken/s"));
    for (ThreadUse use : shown(look, top)) {
      out.append(
          String.format(
              Locale.ROOT,
              "%7d  %-15s %s %8s  %-9s %5.1f%% %6.1f%% %8.0f %8.0f  %s%n",
              use.now().tid(),
              use.now().name(),
              use.now().state(),
              use.now().niceCounts() ? use.now().nice() : use.now().scheduling(),
              use.now().cpus(),
              100 * use.ran(),
              100 * use.waited(),
              use.voluntaryPerSecond(),
              use.involuntaryPerSecond(),
              mark(found, use)));
    }
    if (look.threads().size() > top) {
      int more = look.threads().size() - top;
      out.append(String.format("   ...  %d more %s%n", more, more == 1 ? "thread" : "threads"));
    }
    return out + (found.flagged() ? "! " : "") + found.words();
  }

  private static String percent(double fraction) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * fraction);
  }

  /** {@code 1 thread}, {@code 2 threads}. */
  static String threads(int count) {
    return count == 1 ? "1 thread" : count + " threads";
  }

  /** The threads with the highest demand for cores, whether they run or starve. */
  private static List<ThreadUse> shown(ProcessActivity look, int top) {
    return look.threads().stream()
        .sorted((a, b) -> Double.compare(b.wanted(), a.wanted()))
        .limit(top)
        .toList();
  }

  static String csv(double seconds, ProcessActivity look) {
    Starvation found = Starvation.in(look);
    List<String> lines = new ArrayList<>();
    for (ThreadUse use : look.threads()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%.3f,%d,\"%s\",%s,%d,\"%s\",%.2f,%.2f,%.1f,%.1f,%s,%s,%s",
              seconds,
              use.now().tid(),
              use.now().name().replace("\"", "\"\""),
              use.now().state(),
              use.now().nice(),
              use.now().cpus(),
              100 * use.ran(),
              100 * use.waited(),
              use.voluntaryPerSecond(),
              use.involuntaryPerSecond(),
              found.measured() ? mark(found, use) : "?",
              Double.isNaN(look.throttled()) ? "" : rounded(100 * look.throttled()),
              use.now().scheduling()));
    }
    return String.join("\n", lines);
  }

  static String json(long pid, double seconds, ProcessActivity look) {
    Starvation found = Starvation.in(look);
    Map<String, Object> top = new LinkedHashMap<>();
    top.put("pid", pid);
    top.put("t_s", rounded(seconds));
    top.put("cores", look.cores());
    top.put("cores_used", rounded(look.ran()));
    top.put("cores_idle_pct", rounded(100 * look.idle()));
    top.put("threads_waiting", rounded(look.waited()));
    top.put("cpu_quota_cores", rounded(look.quotaCores()));
    top.put("throttled_pct", rounded(100 * look.throttled()));
    top.put("at_limit", found.measured() ? found.atLimit() : null);
    top.put("flagged", found.measured() ? found.flagged() : null);
    top.put("verdict", found.words());
    List<Map<String, Object>> threads = new ArrayList<>();
    for (ThreadUse use : look.threads()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("tid", use.now().tid());
      one.put("name", use.now().name());
      one.put("state", String.valueOf(use.now().state()));
      one.put("nice", use.now().nice());
      one.put("scheduling", use.now().scheduling());
      one.put("cpus", use.now().cpus());
      one.put("ran_pct", rounded(100 * use.ran()));
      one.put("waited_pct", rounded(100 * use.waited()));
      one.put("left_per_s", rounded(use.voluntaryPerSecond()));
      one.put("taken_per_s", rounded(use.involuntaryPerSecond()));
      one.put("spins", found.spinning().contains(use));
      one.put("starves", found.starving().contains(use));
      threads.add(one);
    }
    top.put("threads", threads);
    return Json.line(top);
  }

  /** Null if unknown. */
  private static Double rounded(double value) {
    return Double.isNaN(value) ? null : Double.valueOf(Math.round(value * 100) / 100.0);
  }

  private static String mark(Starvation found, ThreadUse use) {
    return found.spinning().contains(use) ? "S" : found.starving().contains(use) ? "*" : "";
  }
}
