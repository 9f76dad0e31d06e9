/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.Request;

/**
 * The price of a read at a replica beyond the work that waits there: an amount, such as the price
 * of a hop, or a factor, such as that of another rack.
 */
@FunctionalInterface
interface ReplicaPrice {
  /** Nothing. */
  ReplicaPrice FREE = (request, read, node, scoreNanos) -> scoreNanos;

  /**
   * The price of a replica, which competes with those of the read's other replicas.
   *
   * @param scoreNanos the time until the read would have run there
   * @return that time with everything else that the replica costs, in nanoseconds
   */
  long of(Request request, int read, int node, long scoreNanos);
}
