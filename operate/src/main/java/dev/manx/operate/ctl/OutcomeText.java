/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import dev.manx.operate.ctl.ChangeOutcome.End;
import dev.manx.operate.look.NodeState;
import dev.manx.operate.text.TextTable;
import dev.manx.operate.text.Words;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Formats the outcomes of a change. */
final class OutcomeText {
  private OutcomeText() {}

  /**
   * A row for each node, and a summary.
   *
   * @param what the requested change, such as {@code mode on}
   */
  static String of(String what, Change change, List<ChangeOutcome> outcomes) {
    TextTable table = new TextTable("node", "datacenter", "before", "now", "");
    Map<String, List<String>> reasons = new LinkedHashMap<>();
    for (ChangeOutcome outcome : outcomes) {
      NodeState before = outcome.before();
      table.row(
          before.node(),
          before.datacenter(),
          before.isPresent() ? change.shown().apply(before) : "",
          outcome.now(),
          outcome.end().words());
      if (!outcome.why().isEmpty()) {
        reasons.computeIfAbsent(outcome.why(), why -> new ArrayList<>()).add(before.node());
      }
    }
    List<String> lines = new ArrayList<>(List.of(table.toString(), ""));
    reasons.forEach(
        (why, nodes) -> lines.add(Words.of(nodes, outcomes.size()) + ": " + Words.line(why)));
    lines.add(sentence(what, outcomes));
    for (ChangeOutcome outcome : outcomes) {
      lines.addAll(failedHooks(outcome));
    }
    return String.join("\n", lines);
  }

  private static String sentence(String what, List<ChangeOutcome> outcomes) {
    int all = outcomes.size();
    int done = count(outcomes, End.DONE);
    int left = count(outcomes, End.LEFT);
    int passing = count(outcomes, End.NOT_PERSISTED);
    String every = all == 1 ? "1 node" : "all " + all + " nodes";
    if (done == all) {
      return what + ": as asked on " + every + ", read back from each.";
    }
    if (passing > 0 && done + passing == all) {
      return what
          + ": set on "
          + every
          + ", persisted on "
          + done
          + (done == 0 ? ": it ends at a restart." : ": on the others it ends at a restart.");
    }
    if (left + count(outcomes, End.BLOCKED) + count(outcomes, End.REFUSED) == all && left > 0) {
      return what
          + ": nothing was changed, because "
          + Words.nodes(all - left)
          + " cannot be changed. Correct that, choose nodes with --nodes, or change the others with"
          + " --some.";
    }
    if (count(outcomes, End.BLOCKED) == all) {
      return what + ": nothing was changed.";
    }
    int not = all - done - passing;
    return what
        + ": as asked on "
        + done
        + " of "
        + all
        + " nodes, "
        + (passing == 0 ? "" : "set but NOT persisted on " + passing + ", ")
        + "NOT on "
        + not
        + ".";
  }

  private static int count(List<ChangeOutcome> outcomes, End end) {
    return (int) outcomes.stream().filter(outcome -> outcome.end() == end).count();
  }

  private static List<String> failedHooks(ChangeOutcome outcome) {
    List<String> lines = new ArrayList<>();
    if (outcome.after() != null) {
      for (Map.Entry<String, NodeState.Hook> hook : outcome.after().hooks().entrySet()) {
        if (hook.getValue().state().equals("failed")) {
          lines.add(
              outcome.before().node()
                  + ": the hook "
                  + hook.getKey()
                  + " failed and stays stock: "
                  + hook.getValue().detail());
        }
      }
    }
    return lines;
  }
}
