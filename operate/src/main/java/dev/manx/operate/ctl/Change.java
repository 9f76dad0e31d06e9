/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import dev.manx.operate.look.NodeState;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A change to make on nodes, with its verification.
 *
 * @param row the row of {@code manx.strategy}
 * @param value the value written
 * @param shown a short form of a node's present value
 * @param done whether a node's state, read afterwards, is as requested
 * @param persist whether it must survive a restart
 * @param always whether to set every reachable node even if others cannot be set: it must not wait
 *     for a node that is down
 */
record Change(
    String row,
    String value,
    Function<NodeState, String> shown,
    Predicate<NodeState> done,
    boolean persist,
    boolean always) {
  static final String PERSISTED = "persisted";
  static final String MODE = "mode";

  Change(
      String row,
      String value,
      Function<NodeState, String> shown,
      Predicate<NodeState> done,
      boolean always) {
    this(row, value, shown, done, false, always);
  }

  /** Returns a copy that survives a restart. */
  Change persistent() {
    return new Change(row, value, shown, done, true, always);
  }

  /** Whether a persisted setting undoes the change at the next restart. */
  boolean isUndoneByRestart(NodeState after) {
    return after.isPersisted(row) && !done.test(after.asPersisted());
  }

  /** Whether the requested value also holds after a restart. */
  boolean isPersisted(NodeState after) {
    return after.isPersisted(row) && done.test(after.asPersisted());
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
