/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.Request;

/**
 * The price of a read at a replica in addition to the waiting work: an amount, such as the price of
 * a hop, or a factor, such as that of another rack.
 */
@FunctionalInterface
interface ReplicaPrice {
  /** No price. */
  ReplicaPrice FREE = (request, read, node, scoreNanos) -> scoreNanos;

  /**
   * Adds the price of a replica that competes with the read's other replicas.
   *
   * @param scoreNanos time until the read would have run there
   * @return that time plus all other costs of the replica, in nanoseconds
   */
  long of(Request request, int read, int node, long scoreNanos);
}
