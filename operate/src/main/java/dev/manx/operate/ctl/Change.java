/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import dev.manx.operate.look.NodeState;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A change to make on nodes, with its verification.
 *
 * <p>A node of another version may write a requested value differently. {@code alike} then tells
 * what its running state has in common with the request, and that is no proof: it counts only if
 * the node accepted the write. What such a node persisted is compared with what it runs.
 *
 * @param row the row of {@code manx.strategy}
 * @param value the value written
 * @param shown a short form of a node's present value
 * @param exact whether a node's state, read afterwards, is as requested
 * @param alike whether a running node's state may be as requested, in another version's words
 * @param persist whether it must survive a restart
 * @param always whether to set every reachable node even if others cannot be set: it must not wait
 *     for a node that is down
 */
record Change(
    String row,
    String value,
    Function<NodeState, String> shown,
    Predicate<NodeState> exact,
    Predicate<NodeState> alike,
    boolean persist,
    boolean always) {
  static final String PERSISTED = "persisted";
  static final String MODE = "mode";
  static final String CANARY = "canary";

  Change(
      String row,
      String value,
      Function<NodeState, String> shown,
      Predicate<NodeState> exact,
      boolean always) {
    this(row, value, shown, exact, state -> false, false, always);
  }

  /** Returns a copy that another version may write differently. */
  Change orAlike(Predicate<NodeState> other) {
    return new Change(row, value, shown, exact, other, persist, always);
  }

  /** Returns a copy that survives a restart. */
  Change persistent() {
    return new Change(row, value, shown, exact, alike, true, always);
  }

  /** Whether Manx begins to act. */
  boolean isOn() {
    return row.equals(MODE) && value.equals("on");
  }

  /**
   * Whether the node's canary must be persisted with the change. A mode that outlasts the canary
   * would let a restarted node act on all requests, which the operator has not asked for.
   */
  boolean needsCanary(NodeState node) {
    return isOn() && persist && node.isCanary() && !node.isPersisted(CANARY);
  }

  /** The names of the rows to persist on a node. */
  String persistedRows(NodeState node) {
    return needsCanary(node) ? row + ", " + CANARY : row;
  }

  /**
   * Whether a node's state is as requested.
   *
   * @param isAnswered whether the node accepted the write
   */
  boolean isDone(NodeState after, boolean isAnswered) {
    return exact.test(after) || isAnswered && alike.test(after);
  }

  /** Whether a persisted setting undoes the change at the next restart. */
  boolean isUndoneByRestart(NodeState after) {
    return after.isPersisted(row) && !isKept(after);
  }

  /** Whether the requested value also holds after a restart. */
  boolean isPersisted(NodeState after) {
    return after.isPersisted(row) && isKept(after);
  }

  private boolean isKept(NodeState after) {
    NodeState restarted = after.asPersisted();
    return exact.test(restarted) || alike.test(after) && restarted.row(row).equals(after.row(row));
  }

  /** Whether the change has deleted a persisted value, as switching off does with the mode. */
  boolean endsPersisted(NodeState before, NodeState after) {
    return before.isPersisted(row) && after.isPresent() && !after.isPersisted(row);
  }

  /** The exception to a persisted value's priority over manx.yaml; empty if there is none. */
  String exceptInFile() {
    return row.equals(MODE) ? ", except `mode: off` there" : "";
  }
}
