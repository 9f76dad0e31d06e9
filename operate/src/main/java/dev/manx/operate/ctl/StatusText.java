/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import dev.manx.operate.canary.CanaryChoice;
import dev.manx.operate.look.NodeState;
import dev.manx.operate.look.StrategyNames;
import dev.manx.operate.text.Json;
import dev.manx.operate.text.NodeNotes;
import dev.manx.operate.text.TextTable;
import dev.manx.operate.text.Words;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The state of Manx on nodes, human- and machine-readable. */
final class StatusText {
  private StatusText() {}

  /**
   * The human-readable form.
   *
   * @param evidence lines on canaries
   */
  static String table(List<NodeState> states, List<String> evidence) {
    TextTable table =
        new TextTable(
            "node", "datacenter", "mode", "strategy", "version", "breaker", "hooks", "queues");
    NodeNotes ofNodes = new NodeNotes();
    for (NodeState state : states) {
      if (!state.isPresent()) {
        table.row(state.node(), state.datacenter(), "-");
        ofNodes.add(state.node(), state.why());
        continue;
      }
      table.row(
          state.node(),
          state.datacenter(),
          state.mode(),
          StrategyNames.of(state),
          state.version(),
          state.breaker(),
          hooks(state),
          queues(state));
      if (!state.row("trouble").isEmpty()) {
        ofNodes.add(state.node(), state.row("trouble"));
      }
      if (!state.row("record").equals("off")) {
        ofNodes.add(state.node(), "decision log " + state.row("record"));
      }
      if (state.isNeverCalm()) {
        ofNodes.add(state.node(), "calm-after 0s: every request is planned");
      }
    }
    List<String> notes = new ArrayList<>(ofNodes.lines(states.size()));
    notes.addAll(persisted(states));
    notes.addAll(differences(states));
    notes.addAll(evidence);
    return notes.isEmpty() ? table.toString() : table + "\n\n" + String.join("\n", notes);
  }

  /** The persisted settings, human-readable; equal nodes are grouped. */
  private static List<String> persisted(List<NodeState> states) {
    Map<String, List<String>> nodes = new LinkedHashMap<>();
    for (NodeState state : states) {
      if (!state.row("persisted").isEmpty()) {
        nodes.computeIfAbsent(state.row("persisted"), words -> new ArrayList<>()).add(state.node());
      }
    }
    List<String> notes = new ArrayList<>();
    nodes.forEach(
        (words, some) ->
            notes.add("persisted on " + Words.of(some, states.size()) + ": " + Words.line(words)));
    return notes;
  }

  private static String hooks(NodeState state) {
    Map<String, Long> counts =
        state.hooks().values().stream()
            .collect(Collectors.groupingBy(NodeState.Hook::state, Collectors.counting()));
    long failed = counts.getOrDefault("failed", 0L);
    return counts.getOrDefault("installed", 0L)
        + " of "
        + state.hooks().size()
        + (failed == 0 ? "" : ", " + failed + " FAILED");
  }

  private static String queues(NodeState state) {
    return switch (state.queues()) {
      case UNKNOWN -> "";
      case CALM -> "calm";
      case NONE -> "none";
      case SOME -> "waiting";
    };
  }

  /** The differences between nodes with Manx, human-readable. */
  static List<String> differences(List<NodeState> states) {
    List<NodeState> present = states.stream().filter(NodeState::isPresent).toList();
    List<String> notes = new ArrayList<>();
    differ("mode", present, NodeState::mode, notes);
    notes.addAll(canaries(present));
    differ("version", present, NodeState::version, notes);
    differ(
        "calm-after",
        present.stream()
            .filter(state -> !state.row("calm-after").isEmpty() && !state.isNeverCalm())
            .toList(),
        state -> state.row("calm-after"),
        notes);
    if (present.stream().map(NodeState::version).distinct().count() > 1) {
      // Documents contain all defaults, which versions differ in.
      differ("policies", present, StrategyNames::policies, notes);
    }
    present.stream()
        .collect(Collectors.groupingBy(NodeState::version, LinkedHashMap::new, Collectors.toList()))
        .values()
        .forEach(
            one ->
                differ("strategy", one, state -> state.row("document"), StrategyNames::of, notes));
    return notes;
  }

  /** One line if the canaries of nodes with Manx differ. */
  static List<String> canaries(List<NodeState> present) {
    List<String> notes = new ArrayList<>();
    differ("canary", present, state -> CanaryChoice.words(state.row("canary")), notes);
    return notes;
  }

  private static void differ(
      String what, List<NodeState> states, Function<NodeState, String> of, List<String> notes) {
    differ(what, states, of, of, notes);
  }

  private static void differ(
      String what,
      List<NodeState> states,
      Function<NodeState, String> of,
      Function<NodeState, String> shown,
      List<String> notes) {
    Map<String, List<NodeState>> groups =
        states.stream().collect(Collectors.groupingBy(of, LinkedHashMap::new, Collectors.toList()));
    if (groups.size() > 1) {
      notes.add(
          "nodes differ in "
              + what
              + ": "
              + groups.values().stream()
                  .map(
                      group ->
                          shown.apply(group.get(0))
                              + " on "
                              + Words.of(
                                  group.stream().map(NodeState::node).toList(), states.size()))
                  .collect(Collectors.joining("; ")));
    }
  }

  static String json(List<NodeState> states) {
    List<Map<String, Object>> all = new ArrayList<>();
    for (NodeState state : states) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("node", state.node());
      one.put("datacenter", state.datacenter());
      one.put("manx", state.manx().name().toLowerCase(java.util.Locale.ROOT));
      one.put("why", state.why());
      one.put("mode", state.mode());
      one.put("strategy_name", state.isPresent() ? StrategyNames.of(state) : "");
      one.put("strategy", state.strategy());
      one.put("hooks", state.hooks());
      one.put("counters", state.counters());
      all.add(one);
    }
    return Json.indented(all);
  }
}
