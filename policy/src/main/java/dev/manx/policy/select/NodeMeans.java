/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

/**
 * The statistics that {@code select.c3} keeps of a node's answers: one mean each of response time,
 * service time and queue. Threads: response threads add, request threads query and one timer ticks,
 * concurrently.
 */
interface NodeMeans {
  /**
   * Adds an answer.
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

  /** Forgets a node whose id was given back. */
  void forget(int node);

  /** Called by the timer, for means that are recomputed. */
  default void tick(long nowNanos) {}

  /** How often {@link #tick} must be called; {@link Long#MAX_VALUE} for never. */
  default long tickIntervalNanos() {
    return Long.MAX_VALUE;
  }
}
