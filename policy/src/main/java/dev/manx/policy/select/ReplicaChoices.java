/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.Request;

/**
 * The front of a ranking: the replicas that a read is sent to at once, one at ONE, a majority at
 * QUORUM. A selector that makes a choice rather than a ranking repeats it for each of these places,
 * and leaves the others in stock order, for retries.
 */
final class ReplicaChoices {
  private ReplicaChoices() {}

  /**
   * The number of choices to make among {@code replicas[from, to)}: one for each place that the
   * read is sent to, at least one, and no choice for a replica without an alternative.
   */
  static int choices(Request request, int read, int from, int to) {
    int places = request.contacts(read) - (from - request.replicaStart(read));
    return Math.min(Math.max(1, places), to - from - 1);
  }
}
