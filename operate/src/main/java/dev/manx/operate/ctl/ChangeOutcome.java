/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import dev.manx.operate.look.NodeState;

/**
 * The outcome of a change on one node.
 *
 * @param before the node's state before it
 * @param now a short form of the node's present value; empty if unknown
 * @param end result
 * @param why why it is not as requested; empty if it is
 * @param after the node's state as read back; null if it was not read
 */
record ChangeOutcome(NodeState before, String now, End end, String why, NodeState after) {
  /** The results. */
  enum End {
    /** Set, and read back as requested. */
    DONE("as asked"),
    /** Not tried, because other nodes could not be set. */
    LEFT("left as it was"),
    /** Could not be tried on this node. */
    BLOCKED("NOT TRIED"),
    /** The node rejected it. */
    REFUSED("REFUSED"),
    /** Set, but not persisted, although requested. */
    NOT_PERSISTED("as asked, NOT PERSISTED"),
    /** Accepted, but read back with another value. */
    FAILED("NOT VERIFIED");

    private final String words;

    End(String words) {
      this.words = words;
    }

    /** Human-readable. */
    String words() {
      return words;
    }
  }

  boolean isDone() {
    return end == End.DONE;
  }

  /** Whether the node runs as requested, persisted or not. */
  boolean isSet() {
    return isDone() || end == End.NOT_PERSISTED;
  }
}
