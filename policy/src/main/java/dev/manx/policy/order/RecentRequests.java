/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/**
 * Recognizes reads of one request, though they arrive one by one: a read whose request had another
 * read lately counts as having arrived with that one. Stores one request for each of 64 hashes; a
 * displaced request starts anew. Sequential.
 */
final class RecentRequests {
  private static final int PLACES = 64;

  private final long[] ids = new long[PLACES];
  private final long[] arrivals = new long[PLACES];

  /** Whether another read of a request arrived lately. */
  boolean knows(long requestId) {
    return requestId != 0 && ids[place(requestId)] == requestId;
  }

  /**
   * When the first read of a request arrived.
   *
   * @param requestId 0 for a read without related reads
   * @param arrivalNanos arrival of the read in question
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
