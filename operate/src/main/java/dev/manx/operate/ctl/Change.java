/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import dev.manx.operate.look.NodeState;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A change to make on nodes, and the test that it was made.
 *
 * @param row the row of {@code manx.strategy}
 * @param value what is written there
 * @param shown what a node has now, in a few words
 * @param done whether a node that was read afterwards is as asked
 * @param persist whether it is to survive a restart
 * @param always whether nodes that can be set are, even if others cannot: it must not wait for a
 *     node that is down
 */
record Change(
    String row,
    String value,
    Function<NodeState, String> shown,
    Predicate<NodeState> done,
    boolean persist,
    boolean always) {
  static final String PERSISTED = "persisted";

  Change(
      String row,
      String value,
      Function<NodeState, String> shown,
      Predicate<NodeState> done,
      boolean always) {
    this(row, value, shown, done, false, always);
  }

  /** The same, to survive a restart. */
  Change persistent() {
    return new Change(row, value, shown, done, true, always);
  }

  /** Whether a node was persisted to be otherwise when it restarts. */
  boolean isUndoneByRestart(NodeState after) {
    return after.isPersisted(row) && !done.test(after.asPersisted());
  }

  /** Whether a node will be as asked after a restart too. */
  boolean isPersisted(NodeState after) {
    return after.isPersisted(row) && done.test(after.asPersisted());
  }
}
