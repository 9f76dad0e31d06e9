/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/**
 * Which reads belong together, though they arrive one by one: a read of a request of which another
 * one came lately counts as having arrived with that one. Remembers one request for each of 64
 * hashes; one that another has displaced begins anew. Sequential.
 */
final class RecentRequests {
  private static final int PLACES = 64;

  private final long[] ids = new long[PLACES];
  private final long[] arrivals = new long[PLACES];

  /** Whether another read of a request came lately. */
  boolean knows(long requestId) {
    return requestId != 0 && ids[place(requestId)] == requestId;
  }

  /**
   * When the first read of a request arrived.
   *
   * @param requestId 0 for a read that belongs to no other
   * @param arrivalNanos of the read asked about
   */
  long first(long requestId, long arrivalNanos) {
    if (requestId == 0) {
      return arrivalNanos;
    }
    int at = place(requestId);
    if (ids[at] != requestId) {
      ids[at] = requestId;
      arrivals[at] = arrivalNanos;
    }
    return arrivals[at];
  }

  private static int place(long requestId) {
    return (int) (requestId * 0x9E3779B97F4A7C15L >>> 58);
  }
}
