/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import dev.manx.load.connect.ConnectException;
import dev.manx.load.connect.Member;
import dev.manx.load.connect.NodeException;
import dev.manx.operate.look.NodeState;
import dev.manx.operate.look.NodeState.Manx;

/**
 * One node that is switched temporarily: its former state, and the state last set by this process.
 * A node whose state differs from that is not written to. A node without Manx is always off and
 * never written to. One thread at a time.
 */
/* An operator who switches Manx off in an emergency must not be overruled by a measurement. The
 * value alone is not sufficient: the present arm may use the same mode. So the node counts its
 * switches (the row `switches`; a Manx without it shows only the values). */
final class KeptNode {
  private static final String UPDATE = "UPDATE manx.strategy SET value = ? WHERE name = ?";
  private static final String MODE = "mode";
  private static final String DOCUMENT = "document";
  private static final String CALM_AFTER = "calm-after";
  private static final String SWITCHES = "switches";

  private final Rows rows;
  private final NodeState before;
  private NodeState left;
  private boolean touched;
  private boolean contested;

  /** Access to the node. */
  interface Rows {
    /** The present state; never throws for an error of the node. */
    NodeState read();

    /**
     * Sets a row of {@code manx.strategy}.
     *
     * @throws RuntimeException if the node rejects it or does not answer
     */
    void set(String row, String value);

    /** Whether there is a session with the node, so that a write does not begin by connecting. */
    default boolean isConnected() {
      return true;
    }

    /** Access to a connected node. */
    static Rows of(Member node) {
      return new Rows() {
        @Override
        public NodeState read() {
          return NodeState.read(node);
        }

        @Override
        public void set(String row, String value) {
          node.execute(UPDATE, value, row);
        }

        @Override
        public boolean isConnected() {
          return node.isConnected();
        }
      };
    }
  }

  /**
   * Creates the object without changing the node.
   *
   * @param before its present state
   */
  KeptNode(Rows rows, NodeState before) {
    this.rows = rows;
    this.before = before;
    left = before;
  }

  NodeState before() {
    return before;
  }

  NodeState read() {
    return rows.read();
  }

  /** Whether the node had no Manx before. */
  boolean isWithout() {
    return before.manx() == Manx.ABSENT;
  }

  /** Why the node is not as it was left; empty if it is, or cannot be read. */
  String changed(NodeState now) {
    if (isWithout()) {
      return now.isPresent() ? "Manx was installed on it meanwhile" : "";
    }
    if (contested) {
      return "it was switched by another user at the same moment";
    }
    if (!now.isPresent() || !left.isPresent()) {
      return "";
    }
    if (!now.mode().equals(left.mode())) {
      String why = now.row("trouble");
      return "it is in mode "
          + now.mode()
          + ", but was left in mode "
          + left.mode()
          + (why.isEmpty() ? "" : " (" + why + ")");
    }
    if (!now.row(DOCUMENT).equals(left.row(DOCUMENT))) {
      return "it has a different strategy than it was left with";
    }
    if (!now.row("canary").equals(left.row("canary"))) {
      return "it has a different canary than it was left with: " + now.row("canary");
    }
    if (!now.row(CALM_AFTER).equals(left.row(CALM_AFTER))) {
      return "it has a different calm-after than it was left with: " + now.row(CALM_AFTER);
    }
    return now.row(SWITCHES).equals(left.row(SWITCHES))
        ? ""
        : "it was restarted, or switched by another user to its present mode";
  }

  /** Why the node did not apply its last settings; empty if it did. */
  String failed(NodeState now) {
    if (!now.isPresent() && !(isWithout() && now.manx() == Manx.ABSENT)) {
      return now.why();
    }
    String changed = changed(now);
    return !changed.isEmpty() || isWithout() || now.mode().equals("off")
        ? changed
        : now.fellBackSince(left);
  }

  /**
   * Switches the node and reads it back.
   *
   * @param document the strategy; empty to keep it
   * @throws ConnectException if it is not as it was left, rejects the change or does not apply it
   */
  void set(String mode, String document) {
    NodeState seen = rows.read();
    String changed = changed(seen);
    if (!changed.isEmpty()) {
      throw new ConnectException(line(changed));
    }
    if (isWithout()) {
      return;
    }
    boolean untouched = !touched;
    touched = true;
    int writes = document.isEmpty() ? 1 : 2;
    try {
      if (!document.isEmpty()) {
        rows.set(DOCUMENT, document);
        untouched = false;
      }
      rows.set(MODE, mode);
    } catch (RuntimeException e) {
      if (untouched && isForbidden(e)) {
        touched = false;
      }
      left = rows.read();
      throw new ConnectException(before.node() + " rejects the change: " + e.getMessage(), e);
    }
    left = rows.read();
    contested = left.isPresent() && count(seen) >= 0 && count(left) != count(seen) + writes;
    if (!left.mode().equals(mode)) {
      throw new ConnectException(
          before.node()
              + " should be in mode "
              + mode
              + " and is not: "
              + (left.isPresent() ? left.mode() + " " + left.row("trouble") : left.why()));
    }
    String failed = failed(left);
    if (!failed.isEmpty()) {
      throw new ConnectException(line(failed));
    }
  }

  /** Whether a write had no effect, as none of this user has. */
  private static boolean isForbidden(RuntimeException e) {
    return e instanceof NodeException refused && refused.kind() == NodeException.Kind.FORBIDDEN;
  }

  private static long count(NodeState state) {
    String count = state.row(SWITCHES);
    return count.isEmpty() ? -1 : Long.parseLong(count);
  }

  /**
   * The result for a node.
   *
   * @param left why it was left as it is, because another user switched it; empty if not
   * @param failed why it could not be restored; empty if restored
   */
  record End(String left, String failed) {
    private static final End RESTORED = new End("", "");
  }

  /** Restores mode and strategy, and persists the mode again if it was persisted. */
  End restore() {
    if (!touched) {
      return End.RESTORED;
    }
    NodeState found = rows.read();
    String changed = changed(found);
    if (!changed.isEmpty()) {
      return new End(line(changed) + leave(found) + "; before, it had mode " + before.mode(), "");
    }
    // A strategy that cannot be restored must not prevent restoring the mode.
    String refused = restored(DOCUMENT) + restored(MODE) + persistedAgain();
    NodeState after = rows.read();
    if (!after.mode().equals(before.mode())) {
      return new End("", instead("it is in mode '" + after.mode() + "' " + refused));
    }
    return refused.isEmpty() ? End.RESTORED : new End("", instead(refused));
  }

  /**
   * An open breaker would return to the mode that it interrupted, which was not the node's former
   * mode.
   */
  private String leave(NodeState found) {
    boolean byBreaker =
        found.mode().equals("off")
            && !found.isBreakerClosed()
            && found.row(SWITCHES).equals(left.row(SWITCHES));
    String ended =
        before.isPersisted(MODE) && !found.isPersisted(MODE)
            ? "; its persisted mode, " + before.asPersisted().mode() + ", has ended"
            : "";
    if (!byBreaker || contested || left.mode().equals(before.mode())) {
      return ended;
    }
    try {
      rows.set(MODE, "off");
      return "; it stays off, so that its breaker does not return it to mode "
          + left.mode()
          + ended;
    } catch (RuntimeException e) {
      return "; its breaker may return it to mode " + left.mode() + ": " + e.getMessage() + ended;
    }
  }

  /** Restores a row; returns the error, or an empty text. */
  private String restored(String row) {
    try {
      rows.set(row, before.row(row));
      return "";
    } catch (RuntimeException e) {
      return row + ": " + e.getMessage() + " ";
    }
  }

  /** Persists the mode again if it was persisted, because switching off ends that. */
  private String persistedAgain() {
    NodeState now = rows.read();
    if (!before.isPersisted(MODE) || now.isPersisted(MODE)) {
      return "";
    }
    String persisted = before.asPersisted().mode();
    // A node persists its present mode.
    if (!persisted.equals(before.mode()) || !persisted.equals(now.mode())) {
      return "its persisted mode, " + persisted + ", was removed";
    }
    try {
      rows.set(Change.PERSISTED, MODE);
      return "";
    } catch (RuntimeException e) {
      return "its mode could not be persisted again: " + e.getMessage();
    }
  }

  /** A sentence about this node. */
  String line(String why) {
    return before.node() + ": " + why;
  }

  private String instead(String why) {
    return before.node()
        + " had mode "
        + before.mode()
        + " (./manx ctl mode "
        + before.mode()
        + " --nodes "
        + before.node()
        + "): "
        + why;
  }
}
