/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import dev.manx.operate.look.NodeState;

/**
 * The outcome of a change on one node.
 *
 * @param before the node before it
 * @param now what the node has now, in a few words; empty if unknown
 * @param end what became of it
 * @param why it is not as asked; empty if it is
 * @param after the node as read back; null if it was not asked
 */
record ChangeOutcome(NodeState before, String now, End end, String why, NodeState after) {
  /** How it ended. */
  enum End {
    /** Set, and read back as asked. */
    DONE("as asked"),
    /** Not tried, because other nodes could not be set. */
    LEFT("left as it was"),
    /** Could not be tried on this node. */
    BLOCKED("NOT TRIED"),
    /** The node refused it. */
    REFUSED("REFUSED"),
    /** Set, but not so that it survives a restart, which was asked for. */
    NOT_PERSISTED("as asked, NOT PERSISTED"),
    /** Accepted, and not as asked when the node was read back. */
    FAILED("NOT VERIFIED");

    private final String words;

    End(String words) {
      this.words = words;
    }

    /** For people. */
    String words() {
      return words;
    }
  }

  boolean isDone() {
    return end == End.DONE;
  }
}
