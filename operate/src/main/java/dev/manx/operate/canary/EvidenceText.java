/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.canary;

import dev.manx.operate.look.NodeState;
import dev.manx.operate.text.Words;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Describes the evidence from a canary so far. */
final class EvidenceText {
  private static final double P99 = 0.99;
  // With this many, their largest is beyond the 99th percentile with 97.5 % probability.
  private static final long ENOUGH = 370;
  private static final double MILLI = 1e3;
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final String ALL = "all";

  private EvidenceText() {}

  /**
   * Lines on all canaries; empty without a canary.
   *
   * @param tables whether to add lines for each table
   */
  static List<String> of(List<NodeState> states, List<Compared> compared, boolean tables) {
    Map<String, List<Integer>> canaries = new LinkedHashMap<>();
    for (int i = 0; i < states.size(); i++) {
      if (states.get(i).isCanary()) {
        canaries.computeIfAbsent(states.get(i).row("canary"), row -> new ArrayList<>()).add(i);
      }
    }
    List<String> lines = new ArrayList<>();
    // Nodes with different canaries are not merged, because their groups would differ by node.
    canaries.forEach((row, nodes) -> lines.addAll(canary(row, nodes, states, compared, tables)));
    return lines;
  }

  private static List<String> canary(
      String row,
      List<Integer> nodes,
      List<NodeState> states,
      List<Compared> compared,
      boolean tables) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "canary: "
            + CanaryChoice.words(row)
            + " on "
            + names(nodes, states)
            + since(nodes, states));
    List<Integer> on = nodes.stream().filter(node -> states.get(node).mode().equals("on")).toList();
    if (on.size() < nodes.size()) {
      lines.add(
          "  not compared, because their mode is not on: "
              + names(nodes.stream().filter(node -> !on.contains(node)).toList(), states));
    }
    Map<String, List<String>> silent = new TreeMap<>();
    on.forEach(
        node -> {
          if (!compared.get(node).why().isEmpty()) {
            silent
                .computeIfAbsent(compared.get(node).why(), why -> new ArrayList<>())
                .add(states.get(node).node());
          }
        });
    silent.forEach(
        (why, some) ->
            lines.add("  excluded: " + Words.of(some, states.size()) + ": " + Words.line(why)));
    List<Compared> counted =
        on.stream().map(compared::get).filter(one -> one.why().isEmpty()).toList();
    List<String> sentences = new ArrayList<>();
    byTable(counted)
        .forEach(
            (table, widths) -> {
              if (table.equals(ALL) || tables) {
                widths.values().forEach(pair -> sentences.add("  " + sentence(table, pair)));
              }
            });
    if (sentences.isEmpty() && !counted.isEmpty()) {
      sentences.add("  nothing to compare yet: no read waited for a read thread since then");
    }
    lines.addAll(sentences);
    return lines;
  }

  /** Requests with and without Manx. */
  private record Pair(
      String keys,
      LatencyCounts with,
      LatencyCounts without,
      Failures failedWith,
      Failures failedWithout) {
    Pair(String keys) {
      this(keys, new LatencyCounts(), new LatencyCounts(), new Failures(), new Failures());
    }

    void add(Compared.Row row) {
      add(row.with(), with, failedWith);
      add(row.without(), without, failedWithout);
    }

    private static void add(Compared.Group group, LatencyCounts counts, Failures failures) {
      counts.add(group.buckets());
      failures.add(
          group.buckets().values().stream().mapToLong(Long::longValue).sum(),
          group.timedOut(),
          group.failed());
    }

    /** Empty if no request failed. */
    String failed() {
      String unknown =
          failedWith.isKnown() && failedWithout.isKnown() ? "" : " (not counted by all nodes)";
      return failedWith.any() || failedWithout.any()
          ? "; failed: "
              + failedWith.words()
              + " with, "
              + failedWithout.words()
              + " without"
              + unknown
          : "";
    }
  }

  private static Map<String, Map<Integer, Pair>> byTable(List<Compared> nodes) {
    Map<String, Map<Integer, Pair>> tables = new TreeMap<>();
    for (Compared node : nodes) {
      for (Compared.Row row : node.rows()) {
        tables
            .computeIfAbsent(row.table(), table -> new TreeMap<>())
            .computeIfAbsent(row.fromKeys(), from -> new Pair(row.keys()))
            .add(row);
      }
    }
    return tables;
  }

  private static String sentence(String table, Pair pair) {
    String what = requests(pair.keys()) + (table.equals(ALL) ? "" : " of " + table) + ": ";
    LatencyCounts with = pair.with();
    LatencyCounts without = pair.without();
    String counts =
        Failures.grouped(with.count()) + " and " + Failures.grouped(without.count()) + " requests";
    if (pair.failedWith().differsFrom(pair.failedWithout())) {
      // A request that fails at once would otherwise look like a fast one, and one that is given up
      // like one that was never slow.
      return what
          + "not compared, because they do not fail equally often ("
          + counts
          + " with a latency"
          + pair.failed()
          + ")";
    }
    counts += pair.failed();
    if (with.count() == 0 || without.count() == 0) {
      return what
          + (with.count() == 0 ? "none with Manx" : "none without Manx")
          + ", so there is nothing to compare ("
          + counts
          + ")";
    }
    Ratio ratio = Ratio.of(with, without, P99);
    if (!ratio.isKnown()) {
      return what
          + "too few requests to say at P99 ("
          + counts
          + "; about "
          + ENOUGH
          + " of each are needed)";
    }
    return what
        + "P99 "
        + millis(with.quantileMicros(P99))
        + " with, "
        + millis(without.quantileMicros(P99))
        + " without (95 % interval of the ratio "
        + ratio.words()
        + "; "
        + counts
        + ")";
  }

  private static String requests(String keys) {
    return switch (keys) {
      case "1" -> "reads of one key";
      case "101+" -> "multigets of more than 100 keys";
      default -> "multigets of " + keys + " keys";
    };
  }

  private static String millis(long micros) {
    double millis = micros / MILLI;
    return String.format(
        Locale.ROOT, millis < 10 ? "%.2f ms" : millis < 100 ? "%.1f ms" : "%.0f ms", millis);
  }

  private static String names(List<Integer> nodes, List<NodeState> states) {
    return Words.of(nodes.stream().map(node -> states.get(node).node()).toList(), states.size());
  }

  /** The start of the comparison; two if a node started it anew, as by a restart. */
  private static String since(List<Integer> nodes, List<NodeState> states) {
    List<String> starts =
        nodes.stream()
            .map(node -> states.get(node).row("latency-since"))
            .filter(row -> !row.isEmpty())
            .distinct()
            .sorted()
            .toList();
    if (starts.isEmpty()) {
      return "";
    }
    String first = starts.get(0);
    String last = starts.get(starts.size() - 1);
    return together(first, last)
        ? ", since " + last
        : ", since " + first + ", on some nodes only since " + last;
  }

  /** Whether one command may have set both: nodes set a canary one soon after another. */
  private static boolean together(String first, String last) {
    try {
      return Duration.between(Instant.parse(first), Instant.parse(last)).compareTo(MINUTE) < 0;
    } catch (DateTimeParseException e) {
      // Of another version.
      return first.equals(last);
    }
  }
}
