/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/**
 * Which reads belong together, though they arrive one by one: a read of a request of which another
 * one came lately gets that one's arrival and group. Remembers one request for each of 64 hashes;
 * one that another has displaced begins anew. Sequential; the answer is in the fields, since it is
 * two numbers and nothing is allocated.
 */
final class RecentRequests {
  private static final int PLACES = 64;

  private final long[] ids = new long[PLACES];
  private final long[] arrivals = new long[PLACES];
  private final long[] groups = new long[PLACES];
  private long arrivalNanos;
  private long group;

  /**
   * Enters a read.
   *
   * @param requestId 0 for a read that belongs to no other
   * @param arrival its own
   * @param number its own, and of its group if it is the first
   */
  void join(long requestId, long arrival, long number) {
    arrivalNanos = arrival;
    group = number;
    if (requestId == 0) {
      return;
    }
    int at = (int) (requestId * 0x9E3779B97F4A7C15L >>> 58);
    if (ids[at] == requestId) {
      arrivalNanos = arrivals[at];
      group = groups[at];
    } else {
      ids[at] = requestId;
      arrivals[at] = arrival;
      groups[at] = number;
    }
  }

  /** The arrival that the read entered last counts with. */
  long arrivalNanos() {
    return arrivalNanos;
  }

  /** The group of the read entered last. */
  long group() {
    return group;
  }
}
