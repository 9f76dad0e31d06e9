/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import java.util.Map;

/** Something that happens to a node for a while, at the same time of the window in every turn. */
public interface NodeEvent {
  /** When it begins, since the start of the window. */
  long atNanos();

  /** How long it lasts. */
  long forNanos();

  /** The node, from 1. */
  int node();

  /** The same in a window of another length. */
  NodeEvent scaled(double factor);

  /** By the names of the keys. */
  Map<String, Object> values();

  /** For people: {@code node2: 1 core}. */
  String words();

  /**
   * Makes it ready for one turn; nothing happens yet.
   *
   * @param host does things to nodes
   * @throws dev.manx.contention.squeeze.SqueezeException if it is not permitted here
   */
  Running prepare(EventHost host);

  /** An event of one turn. Closing it undoes what is left of it. */
  interface Running extends AutoCloseable {
    /** Lets it begin now; may block for as long as beginning takes. */
    void begin();

    /** Lets it end, if it does not end by itself; may block for as long as ending takes. */
    void end();

    /**
     * Waits until it is over and says when it really was.
     *
     * @throws RuntimeException if it did not take place, or could not be undone
     */
    Span span();

    @Override
    void close();
  }

  /** From when to when something was, by {@code System.nanoTime()}. */
  record Span(long fromNanos, long toNanos) {}

  /** Whether both concern the same node at the same time. */
  default boolean overlaps(NodeEvent other) {
    return node() == other.node()
        && atNanos() < other.atNanos() + other.forNanos()
        && other.atNanos() < atNanos() + forNanos();
  }
}
