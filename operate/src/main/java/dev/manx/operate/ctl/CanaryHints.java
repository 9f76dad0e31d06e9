/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import dev.manx.operate.canary.CanaryChoice;
import dev.manx.operate.look.NodeState;
import dev.manx.operate.text.Words;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Hints on what a change means for the canary of a node that restarts. */
final class CanaryHints {
  private static final Set<String> CONCERNED = Set.of(Change.MODE, Change.CANARY, Change.PERSISTED);

  private CanaryHints() {}

  /**
   * One line for each consequence; none if there is no canary.
   *
   * @param set outcomes on nodes that run as requested
   */
  static List<String> of(Change change, List<ChangeOutcome> set) {
    List<NodeState> after =
        set.stream()
            .map(ChangeOutcome::after)
            .filter(node -> node != null && node.isPresent())
            .toList();
    List<String> lines = new ArrayList<>();
    if (change.isOn()) {
      lines.addAll(StatusText.canaries(after));
      add(
          lines,
          set.stream().filter(CanaryHints::isPersistedAlong).map(ChangeOutcome::after).toList(),
          after.size(),
          "canary",
          "The canary was persisted with the mode: %s. A restarted node would otherwise act on all"
              + " requests, unless its manx.yaml has a canary. To end it: ./manx ctl canary end"
              + " --persist");
      add(
          lines,
          some(after, node -> !node.isPersisted(Change.CANARY) && node.isCanary() && !isKept(node)),
          after.size(),
          "canary",
          "A restart ends the canary too, unless the node's manx.yaml has one: %s. Otherwise set it"
              + " again before you switch the restarted node on; with `mode: on` alone in its"
              + " manx.yaml it would act on all requests. The same command with --persist keeps mode"
              + " and canary.");
      add(
          lines,
          some(after, CanaryHints::hasOtherPersisted),
          after.size(),
          "persisted.canary",
          "Another canary is persisted, and returns after a restart: %s. ./manx ctl canary set or end"
              + " with --persist replaces it.");
    }
    if (CONCERNED.contains(change.row())) {
      add(
          lines,
          some(after, node -> !node.isPersisted(Change.CANARY) && node.isCanary() && isKept(node)),
          after.size(),
          "canary",
          "A restart ends the canary and keeps the mode on: %s. The restarted node acts on all"
              + " requests, unless its manx.yaml has a canary. "
              + remedy(change));
    }
    return lines;
  }

  private static boolean isPersistedAlong(ChangeOutcome outcome) {
    return outcome.after() != null
        && outcome.after().isPersisted(Change.CANARY)
        && outcome.before().isPresent()
        && !outcome.before().isPersisted(Change.CANARY);
  }

  /** Whether the node is on after a restart because of a persisted mode. */
  private static boolean isKept(NodeState node) {
    return node.isPersisted(Change.MODE) && node.asPersisted().mode().equals("on");
  }

  private static boolean hasOtherPersisted(NodeState node) {
    return node.isPersisted(Change.CANARY)
        && !node.asPersisted().row(Change.CANARY).equals(node.row(Change.CANARY));
  }

  private static String remedy(Change change) {
    if (change.isOn()) {
      return "The same command with --persist keeps mode and canary.";
    }
    return (change.row().equals(Change.CANARY) ? "The same command" : "./manx ctl canary set")
        + " with --persist keeps the canary.";
  }

  private static List<NodeState> some(List<NodeState> nodes, Predicate<NodeState> which) {
    return nodes.stream().filter(which).toList();
  }

  /**
   * Adds a line on some of the nodes.
   *
   * @param row the row with the canary to show
   * @param words with a place for canaries and nodes
   */
  private static void add(
      List<String> lines, List<NodeState> nodes, int all, String row, String words) {
    Map<String, List<String>> canaries = new LinkedHashMap<>();
    nodes.forEach(
        node ->
            canaries
                .computeIfAbsent(CanaryChoice.words(node.row(row)), any -> new ArrayList<>())
                .add(node.node()));
    if (!canaries.isEmpty()) {
      lines.add(
          words.formatted(
              canaries.entrySet().stream()
                  .map(one -> one.getKey() + " on " + Words.of(one.getValue(), all))
                  .collect(Collectors.joining("; "))));
    }
  }
}
