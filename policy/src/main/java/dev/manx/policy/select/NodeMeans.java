/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

/**
 * What {@code select.c3} keeps of a node's answers: one mean each of response time, service time
 * and queue. Threads: response threads add, request threads ask and one timer ticks, all at once.
 */
interface NodeMeans {
  /**
   * An answer came.
   *
   * @param capacity all node ids are below it
   * @param response its response time
   * @param service the node's service time, in the same unit
   * @param queue reads waiting or running there
   */
  void add(int node, int capacity, double response, double service, double queue);

  /** Whether the node has answered. */
  boolean isKnown(int node);

  /** Mean response time; 0 of an unknown node. */
  double response(int node);

  /** Mean service time; 0 of an unknown node. */
  double service(int node);

  /** Mean queue; 0 of an unknown node. */
  double queue(int node);

  /** A node's id was given back. */
  void forget(int node);

  /** The timer's call, for means that are recomputed. */
  default void tick(long nowNanos) {}

  /** How often it wants {@link #tick}; {@link Long#MAX_VALUE} if it does not care. */
  default long tickIntervalNanos() {
    return Long.MAX_VALUE;
  }
}
