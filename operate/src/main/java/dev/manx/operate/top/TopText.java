/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.top;

import dev.manx.operate.canary.CanaryChoice;
import dev.manx.operate.canary.LatencyCounts;
import dev.manx.operate.look.NodeState;
import dev.manx.operate.look.StrategyNames;
import dev.manx.operate.text.Json;
import dev.manx.operate.text.NodeNotes;
import dev.manx.operate.text.TextTable;
import dev.manx.operate.text.Words;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Formats the rates of nodes over an interval. */
final class TopText {
  private TopText() {}

  /**
   * The human-readable form.
   *
   * @param title the cluster and the time
   */
  static String table(String title, List<NodeRates> nodes) {
    return text(title, nodes, nodes, Integer.MAX_VALUE);
  }

  /**
   * As much of the human-readable form as a terminal shows at once: if not all nodes fit, those in
   * trouble first. Heading, sums and a note of what is missing are always there.
   *
   * @param rows of the terminal
   * @param columns of the terminal; longer lines take several rows
   */
  static String fitting(String title, List<NodeRates> nodes, int rows, int columns) {
    // The cursor is in the row below.
    String all = table(title, nodes);
    if (rowsOf(all, columns) < rows) {
      return all;
    }
    List<NodeRates> sorted = new ArrayList<>(nodes);
    sorted.sort(Comparator.comparing(TopText::isInTrouble).reversed());
    int shown = Math.min(nodes.size(), rows);
    String text;
    do {
      text = text(title, nodes, sorted.subList(0, shown), Math.max(1, rows / 4));
      shown--;
    } while (rowsOf(text, columns) >= rows && shown >= 0);
    return text;
  }

  private static int rowsOf(String text, int columns) {
    return text.lines().mapToInt(line -> Math.max(0, line.length() - 1) / columns + 1).sum();
  }

  private static boolean isInTrouble(NodeRates node) {
    NodeState now = node.now();
    return !now.isPresent() || !now.row("trouble").isEmpty() || !now.isBreakerClosed();
  }

  private static NodeNotes notes(List<NodeRates> nodes) {
    NodeNotes notes = new NodeNotes();
    for (NodeRates node : nodes) {
      NodeState now = node.now();
      String note = now.isPresent() ? now.row("trouble") : now.why();
      if (!note.isEmpty()) {
        notes.add(now.node(), note);
      }
    }
    nodes.stream()
        .filter(node -> !node.refusal().isEmpty())
        .forEach(node -> notes.add(node.now().node(), node.refusal()));
    return notes;
  }

  private static String text(
      String title, List<NodeRates> nodes, List<NodeRates> shown, int mostNotes) {
    TextTable table =
        new TextTable(
            "node",
            "datacenter",
            "mode",
            "queues",
            ">calm/s",
            ">planned/s",
            ">unpaged/s",
            ">P99 ms",
            ">queued/s",
            ">select",
            ">order",
            "breaker",
            ">faults");
    for (NodeRates node : shown) {
      NodeState now = node.now();
      if (!now.isPresent()) {
        table.row(now.node(), now.datacenter(), "-");
        continue;
      }
      table.row(
          now.node(),
          now.datacenter(),
          now.mode(),
          queues(now),
          rate(node.calm()),
          rate(node.planned()),
          rate(node.unpaged()),
          millis(node.busy()),
          rate(node.queued()),
          percent(node.selectChanged()),
          percent(node.orderChanged()),
          now.breaker(),
          Long.toString(node.faults()));
    }
    if (nodes.size() > 1) {
      table.row(
          "all",
          "",
          "",
          "",
          rate(sum(nodes, NodeRates::calm)),
          rate(sum(nodes, NodeRates::planned)),
          rate(sum(nodes, NodeRates::unpaged)),
          millis(busy(nodes)),
          rate(sum(nodes, NodeRates::queued)));
    }
    List<String> lines = new ArrayList<>();
    lines.add(title + "; strategy " + strategies(nodes) + p99Tables(nodes));
    lines.add(table.toString());
    if (shown.size() < nodes.size()) {
      lines.add("... " + (nodes.size() - shown.size()) + " more: --nodes, --dc or --once");
    }
    List<String> notes = notes(nodes).lines(nodes.size());
    lines.addAll(notes.subList(0, Math.min(notes.size(), mostNotes)));
    if (notes.size() > mostNotes) {
      lines.add("... " + (notes.size() - mostNotes) + " more notes: --once");
    }
    return String.join("\n", lines);
  }

  private static String strategies(List<NodeRates> nodes) {
    return counted(counts(nodes, StrategyNames::of));
  }

  /** The tables of P99, if a canary limits them: nodes measure no other requests then. */
  private static String p99Tables(List<NodeRates> nodes) {
    Map<String, Long> tables = counts(nodes, now -> CanaryChoice.tables(now.row("canary")));
    if (tables.keySet().equals(Set.of(CanaryChoice.ALL_TABLES))) {
      return "";
    }
    return tables.isEmpty()
        ? ""
        : "; P99 of " + (tables.size() == 1 ? tables.keySet().iterator().next() : counted(tables));
  }

  private static Map<String, Long> counts(List<NodeRates> nodes, Function<NodeState, String> of) {
    return nodes.stream()
        .map(NodeRates::now)
        .filter(NodeState::isPresent)
        .collect(Collectors.groupingBy(of, LinkedHashMap::new, Collectors.counting()));
  }

  private static String counted(Map<String, Long> counts) {
    return counts.entrySet().stream()
        .map(one -> one.getKey() + " on " + Words.nodes(Math.toIntExact(one.getValue())))
        .collect(Collectors.joining(", "));
  }

  private static String queues(NodeState now) {
    return switch (now.queues()) {
      case UNKNOWN -> "-";
      case CALM -> "calm";
      case NONE -> "none";
      case SOME -> "waiting";
    };
  }

  /** Sum over the nodes with known rates; NaN if there are none. */
  private static double sum(List<NodeRates> nodes, ToDoubleFunction<NodeRates> of) {
    double[] known = nodes.stream().mapToDouble(of).filter(value -> !Double.isNaN(value)).toArray();
    return known.length == 0 ? Double.NaN : Arrays.stream(known).sum();
  }

  /** The requests of the nodes that know them; empty if none does. */
  private static Optional<LatencyCounts> busy(List<NodeRates> nodes) {
    List<LatencyCounts> known = nodes.stream().flatMap(node -> node.busy().stream()).toList();
    LatencyCounts all = new LatencyCounts();
    known.forEach(counts -> all.add(counts.buckets()));
    return known.isEmpty() ? Optional.empty() : Optional.of(all);
  }

  private static String millis(Optional<LatencyCounts> busy) {
    double millis = NodeRates.p99Millis(busy);
    return Double.isNaN(millis)
        ? "-"
        : String.format(Locale.ROOT, millis < 10 ? "%.2f" : millis < 100 ? "%.1f" : "%.0f", millis);
  }

  private static String rate(double value) {
    return Double.isNaN(value)
        ? "-"
        : String.format(Locale.ROOT, value > 0 && value < 10 ? "%.1f" : "%.0f", value);
  }

  private static String percent(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.1f%%", value);
  }

  /**
   * The machine-readable form: one line.
   *
   * @param time ISO 8601
   */
  static String json(String time, List<NodeRates> nodes) {
    Map<String, Object> top = new LinkedHashMap<>();
    top.put("time", time);
    List<Map<String, Object>> rows = new ArrayList<>();
    for (NodeRates node : nodes) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("node", node.now().node());
      row.put("datacenter", node.now().datacenter());
      row.put("manx", node.now().manx().name().toLowerCase(Locale.ROOT));
      row.put("mode", node.now().mode());
      row.put("strategy", node.now().isPresent() ? StrategyNames.of(node.now()) : "");
      row.put("calm", queues(node.now()).equals("calm"));
      row.put("requests_calm_per_s", number(node.calm()));
      row.put("requests_planned_per_s", number(node.planned()));
      row.put("multigets_unpaged_per_s", number(node.unpaged()));
      row.put("busy_requests", node.busy().map(LatencyCounts::count).orElse(null));
      row.put("busy_p99_ms", number(NodeRates.p99Millis(node.busy())));
      row.put("reads_queued_per_s", number(node.queued()));
      row.put("select_changed_pct", number(node.selectChanged()));
      row.put("order_changed_pct", number(node.orderChanged()));
      row.put("breaker", node.now().row("breaker"));
      row.put("faults", node.faults());
      row.put("why", node.now().why());
      rows.add(row);
    }
    top.put("nodes", rows);
    return Json.line(top);
  }

  private static Double number(double value) {
    return Double.isNaN(value) ? null : Math.round(value * 100) / 100.0;
  }
}
