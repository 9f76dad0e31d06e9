/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.kind.TimedEvent;

/** An event at a node. */
public interface NodeEvent extends TimedEvent {
  /** The node, from 1. */
  int node();

  /** Returns this event for a window of another length. */
  NodeEvent scaled(double factor);

  /**
   * Prepares the event for one turn, without starting it.
   *
   * @param host carries out the event
   * @throws dev.manx.contention.squeeze.SqueezeException if it is not permitted here
   */
  Running prepare(EventHost host);

  /** Whether both affect one node at overlapping times. */
  default boolean overlaps(NodeEvent other) {
    return node() == other.node()
        && atNanos() < other.atNanos() + other.forNanos()
        && other.atNanos() < atNanos() + forNanos();
  }
}
