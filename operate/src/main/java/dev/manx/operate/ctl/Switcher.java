/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import dev.manx.load.connect.Cluster;
import dev.manx.load.connect.Member;
import dev.manx.load.connect.NodeException;
import dev.manx.operate.ctl.ChangeOutcome.End;
import dev.manx.operate.look.NodeState;
import java.util.List;

/**
 * Sets something on several nodes: looks at all of them first, changes none if one cannot be
 * changed, reads every node back afterwards.
 */
final class Switcher {
  private final Cluster cluster;
  private final List<Member> nodes;

  Switcher(Cluster cluster, List<Member> nodes) {
    this.cluster = cluster;
    this.nodes = nodes;
  }

  /**
   * Does it.
   *
   * @param some whether nodes that can be changed are, though others cannot
   * @return one outcome for each node, in their order
   */
  List<ChangeOutcome> set(Change change, boolean some) {
    if (change.always()) {
      // No node waits for another, and one that cannot tell its state is set all the same.
      return cluster.ask(
          nodes, member -> set(change, KeptNode.Rows.of(member), NodeState.read(member)));
    }
    List<NodeState> before = cluster.ask(nodes, NodeState::read);
    boolean blocked = before.stream().anyMatch(state -> !hindrance(change, state).isEmpty());
    if (blocked && !some) {
      return before.stream().map(state -> left(change, state)).toList();
    }
    return cluster.ask(
        nodes, member -> set(change, KeptNode.Rows.of(member), before.get(nodes.indexOf(member))));
  }

  private static ChangeOutcome left(Change change, NodeState state) {
    String why = hindrance(change, state);
    String now = state.isPresent() ? change.shown().apply(state) : "";
    return new ChangeOutcome(state, now, why.isEmpty() ? End.LEFT : End.BLOCKED, why, null);
  }

  /** Why a node cannot be changed, as far as it can be known before; empty if it may be. */
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
        : "its Manx, version " + state.version() + ", does not know `" + row + "`: upgrade it";
  }

  static ChangeOutcome set(Change change, KeptNode.Rows node, NodeState before) {
    if (!hindrance(change, before).isEmpty() && !change.always()) {
      return left(change, before);
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
    if (change.done().test(after)) {
      return change.persist()
          ? persisted(change, node, before, now)
          : new ChangeOutcome(before, now, End.DONE, "", after);
    }
    String trouble = after.row("trouble");
    String why =
        (written.isAnswered() ? "accepted, but " : written.unverified())
            + "reads back otherwise"
            + (trouble.isEmpty() ? "" : ": " + trouble);
    return new ChangeOutcome(before, now, End.FAILED, why, after);
  }

  private static ChangeOutcome persisted(
      Change change, KeptNode.Rows node, NodeState before, String now) {
    Written written = written(node, Change.PERSISTED, change.row());
    NodeState after = node.read();
    if (change.isPersisted(after)) {
      return new ChangeOutcome(before, now, End.DONE, "", after);
    }
    String why =
        written.isRefused()
            ? written.why()
            : written.unverified()
                + (after.isPresent()
                    ? "what is persisted reads back otherwise"
                    : "what is persisted cannot be read back: " + after.why());
    return new ChangeOutcome(before, now, End.NOT_PERSISTED, why, after);
  }

  /**
   * What a node said to a row that was to be set.
   *
   * @param why it did not say that it was; empty if it did
   * @param isRefused whether it surely was not set; otherwise the node tells when it is read back
   */
  private record Written(String why, boolean isRefused) {
    boolean isAnswered() {
      return why.isEmpty();
    }

    /** The begin of a sentence about a node that may still act. */
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
