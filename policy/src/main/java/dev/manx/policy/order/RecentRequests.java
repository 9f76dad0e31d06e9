/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/**
 * Recognizes reads of one request although they arrive one by one: a read that arrives within 50 ms
 * of its request's first one counts as having arrived with it. A later read does not, since its
 * coordinator may read the keys one after another, and then all but the first would overtake other
 * reads. Stores one request for each of 64 hashes; a displaced request starts anew. Sequential.
 */
final class RecentRequests {
  private static final int PLACES = 64;
  private static final long TOGETHER_NANOS = 50_000_000;

  private final long[] ids = new long[PLACES];
  private final long[] arrivals = new long[PLACES];

  /**
   * Whether a read counts as having arrived with an earlier one of its request.
   *
   * @param requestId 0 for a read without related reads
   * @param arrivalNanos arrival of the read in question
   */
  boolean knows(long requestId, long arrivalNanos) {
    int at = place(requestId);
    return requestId != 0 && ids[at] == requestId && arrivalNanos - arrivals[at] <= TOGETHER_NANOS;
  }

  /**
   * The arrival that a read counts with: that of its request's first read, or its own.
   *
   * @param requestId 0 for a read without related reads
   * @param arrivalNanos arrival of the read in question
   */
  long first(long requestId, long arrivalNanos) {
    if (requestId == 0) {
      return arrivalNanos;
    }
    int at = place(requestId);
    if (!knows(requestId, arrivalNanos)) {
      ids[at] = requestId;
      arrivals[at] = arrivalNanos;
    }
    return arrivals[at];
  }

  private static int place(long requestId) {
    return (int) (requestId * 0x9E3779B97F4A7C15L >>> 58);
  }
}
