/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import dev.manx.operate.look.NodeState;
import dev.manx.operate.text.Words;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Hints on what a change that was not persisted means for an earlier one that was. */
final class PersistedHints {
  private PersistedHints() {}

  /**
   * One line for each consequence; none if nothing was persisted.
   *
   * @param set outcomes on nodes that run as requested
   */
  static List<String> of(Change change, List<ChangeOutcome> set) {
    List<String> lines = new ArrayList<>();
    List<String> undone =
        set.stream()
            .map(ChangeOutcome::after)
            .filter(change::isUndoneByRestart)
            .map(after -> after.node() + " (" + persisted(change, after) + ")")
            .toList();
    if (!undone.isEmpty()) {
      lines.add(
          "Another value is persisted, and returns after a restart, on "
              + String.join(", ", undone)
              + ": --persist replaces it.");
    }
    Map<String, List<String>> ended = new LinkedHashMap<>();
    set.stream()
        .filter(outcome -> change.endsPersisted(outcome.before(), outcome.after()))
        .forEach(
            outcome ->
                ended
                    .computeIfAbsent(
                        change.shown().apply(outcome.before().asPersisted()),
                        value -> new ArrayList<>())
                    .add(outcome.before().node()));
    ended.forEach(
        (value, nodes) ->
            lines.add(
                ("The persisted %1$s `%2$s` has ended on %3$s: ./manx ctl %1$s %2$s --persist"
                        + " restores it.")
                    .formatted(change.row(), value, Words.of(nodes, set.size()))));
    return lines;
  }

  private static String persisted(Change change, NodeState after) {
    String shown = change.shown().apply(after.asPersisted());
    // A strategy with a policy or a setting that this version does not know.
    return shown.isEmpty() ? "this version of ./manx cannot read it" : shown;
  }
}
