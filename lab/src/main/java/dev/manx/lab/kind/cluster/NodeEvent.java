/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

/** An event at a node that lasts for a while, at a fixed time of the window in every turn. */
public interface NodeEvent {
  /** Its start, since the start of the window. */
  long atNanos();

  /** Its duration. */
  long forNanos();

  /** The node, from 1. */
  int node();

  /** Returns this event for a window of another length. */
  NodeEvent scaled(double factor);

  /** A description for users: {@code node2: 1 core}. */
  String words();

  /**
   * Prepares it for one turn, without starting it.
   *
   * @param host carries it out
   * @throws dev.manx.contention.squeeze.SqueezeException if it is not permitted here
   */
  Running prepare(EventHost host);

  /** An event of one turn. Closing it undoes its remaining effects. */
  interface Running extends AutoCloseable {
    /** Starts it now; may block until it has started. */
    void begin();

    /** Ends it, if it does not end automatically; may block until it has ended. */
    void end();

    /**
     * Waits until it is over and returns its actual time.
     *
     * @throws RuntimeException if it did not take place, or could not be undone
     */
    Span span();

    @Override
    void close();
  }

  /** A time span, by {@code System.nanoTime()}. */
  record Span(long fromNanos, long toNanos) {}

  /** Whether both affect one node at overlapping times. */
  default boolean overlaps(NodeEvent other) {
    return node() == other.node()
        && atNanos() < other.atNanos() + other.forNanos()
        && other.atNanos() < atNanos() + forNanos();
  }
}
