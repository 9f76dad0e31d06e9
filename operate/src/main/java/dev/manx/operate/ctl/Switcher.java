/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import dev.manx.load.connect.Cluster;
import dev.manx.load.connect.Member;
import dev.manx.load.connect.NodeException;
import dev.manx.operate.ctl.ChangeOutcome.End;
import dev.manx.operate.look.NodeState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Changes a setting on several nodes: reads all of them first, changes none if one cannot be
 * changed, and reads every node back afterwards.
 */
/* The row `trouble` may name a reason that has ended, such as a kill file that was just removed. So
 * only trying shows whether a node in trouble can be switched, and it is tried before the others. */
final class Switcher {
  private final Cluster cluster;
  private final List<Member> nodes;
  private final Awaited awaited;

  /**
   * @param awaited gets the nodes that have not answered yet
   */
  Switcher(Cluster cluster, List<Member> nodes, Awaited awaited) {
    this.cluster = cluster;
    this.nodes = nodes;
    this.awaited = awaited;
  }

  /**
   * Makes the change.
   *
   * @param some whether to change the possible nodes even if others cannot be changed
   * @return one outcome for each node, in their order
   */
  List<ChangeOutcome> set(Change change, boolean some) {
    if (change.always()) {
      // No node waits for another, and a node with an unknown state is set too.
      return ask(member -> set(change, KeptNode.Rows.of(member), NodeState.read(member)));
    }
    List<NodeState> before = ask(NodeState::read);
    boolean blocked = before.stream().anyMatch(state -> !hindrance(change, state).isEmpty());
    if (blocked && !some) {
      return before.stream().map(state -> left(change, state)).toList();
    }
    List<KeptNode.Rows> rows = nodes.stream().map(KeptNode.Rows::of).toList();
    Map<Integer, ChangeOutcome> first = some ? Map.of() : inTrouble(change, rows, before);
    boolean refused = first.values().stream().anyMatch(outcome -> outcome.end() == End.REFUSED);
    return ask(
        member -> {
          int at = nodes.indexOf(member);
          return first.containsKey(at)
              ? first.get(at)
              : refused ? left(change, before.get(at)) : set(change, rows.get(at), before.get(at));
        });
  }

  private <T> List<T> ask(Function<Member, T> question) {
    nodes.forEach(node -> awaited.add(node.address().brief()));
    return cluster.ask(
        nodes,
        member -> {
          try {
            return question.apply(member);
          } finally {
            awaited.remove(member.address().brief());
          }
        });
  }

  /**
   * Changes the nodes in trouble, one after another, until one refuses.
   *
   * @return outcomes by the nodes' positions
   */
  static Map<Integer, ChangeOutcome> inTrouble(
      Change change, List<KeptNode.Rows> nodes, List<NodeState> before) {
    Map<Integer, ChangeOutcome> outcomes = new HashMap<>();
    for (int at = 0; at < nodes.size(); at++) {
      if (!before.get(at).row("trouble").isEmpty()) {
        ChangeOutcome outcome = set(change, nodes.get(at), before.get(at));
        outcomes.put(at, outcome);
        if (outcome.end() == End.REFUSED) {
          break;
        }
      }
    }
    return outcomes;
  }

  private static ChangeOutcome left(Change change, NodeState state) {
    String why = hindrance(change, state);
    String now = state.isPresent() ? change.shown().apply(state) : "";
    return new ChangeOutcome(state, now, why.isEmpty() ? End.LEFT : End.BLOCKED, why, null);
  }

  /** Why a node cannot be changed, as far as known in advance; empty if it may be. */
  private static String hindrance(Change change, NodeState state) {
    if (!state.isPresent()) {
      return state.why();
    }
    String row = change.row();
    if (state.strategy().containsKey(row) && change.persist()) {
      row = Change.PERSISTED;
    }
    return state.strategy().containsKey(row)
        ? ""
        : "its Manx, version " + state.version() + ", does not support `" + row + "`: upgrade it";
  }

  static ChangeOutcome set(Change change, KeptNode.Rows node, NodeState before) {
    if (!hindrance(change, before).isEmpty() && !change.always()) {
      return left(change, before);
    }
    if (!before.isPresent() && !node.isConnected()) {
      // Connecting once more would take as long as before.
      return new ChangeOutcome(before, "", End.BLOCKED, before.why(), null);
    }
    Written written = written(node, change.row(), change.value());
    if (written.isRefused() && !before.isPresent()) {
      return new ChangeOutcome(before, "", End.BLOCKED, before.why(), null);
    }
    NodeState after = node.read();
    String now = after.isPresent() ? change.shown().apply(after) : "";
    if (written.isRefused()) {
      return new ChangeOutcome(before, now, End.REFUSED, written.why(), after);
    }
    if (!after.isPresent()) {
      String why = written.unverified() + "cannot be read back: " + after.why();
      return new ChangeOutcome(before, now, End.FAILED, why, after);
    }
    if (change.isDone(after, written.isAnswered())) {
      return change.persist()
          ? persisted(change, node, before, after, now)
          : new ChangeOutcome(before, now, End.DONE, "", after);
    }
    String trouble = after.row("trouble");
    String why =
        (written.isAnswered() ? "accepted, but " : written.unverified())
            + "reads back differently"
            + (trouble.isEmpty() ? "" : ": " + trouble);
    return new ChangeOutcome(before, now, End.FAILED, why, after);
  }

  private static ChangeOutcome persisted(
      Change change, KeptNode.Rows node, NodeState before, NodeState running, String now) {
    Written written = written(node, Change.PERSISTED, change.persistedRows(running));
    NodeState after = node.read();
    if (change.isPersisted(after) && !change.needsCanary(after)) {
      return new ChangeOutcome(before, now, End.DONE, "", after);
    }
    String why =
        written.isRefused()
            ? written.why()
            : written.unverified()
                + (after.isPresent()
                    ? "the persisted value reads back differently"
                    : "the persisted value cannot be read back: " + after.why());
    return new ChangeOutcome(before, now, End.NOT_PERSISTED, why, after);
  }

  /**
   * A node's response to setting a row.
   *
   * @param why why it was not confirmed; empty if it was
   * @param isRefused whether it was certainly not set; otherwise reading back decides
   */
  private record Written(String why, boolean isRefused) {
    boolean isAnswered() {
      return why.isEmpty();
    }

    /** The beginning of a sentence about a node that may still apply the change. */
    String unverified() {
      return isAnswered() ? "" : why + "; it may still be set; ";
    }
  }

  private static Written written(KeptNode.Rows node, String row, String value) {
    try {
      node.set(row, value);
      return new Written("", false);
    } catch (NodeException e) {
      return new Written(e.getMessage(), e.kind() != NodeException.Kind.UNANSWERED);
    }
  }
}
