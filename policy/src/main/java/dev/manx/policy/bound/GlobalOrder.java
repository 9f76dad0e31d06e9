/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.bound;

import dev.manx.policy.hold.RoutedOp;

/**
 * One queue for a whole cluster, from which an idle core pulls the best read that its node may
 * serve. No real system can have it: only policies of family {@code bound} use it, and only in the
 * simulator. Sequential.
 *
 * @param <T> the simulator's read
 */
public interface GlobalOrder<T extends RoutedOp> {
  /** Queues a read whose priority, cost, request id, arrival and nodes are set. */
  void offer(T read);

  /**
   * Takes the best read that a node may serve, with {@link RoutedOp#node} set; null if there is
   * none.
   */
  T poll(int node);

  /** Whether {@link #poll} would return a read for a node. */
  boolean hasWork(int node);

  /** Number of queued reads. */
  int size();
}
