/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.canary;

import java.util.Locale;

/** Numbers of requests with and without an answer. Confined to one thread. */
public final class Failures {
  private static final double TAIL = Ratio.TAIL;

  private long requests;
  private long failed;
  private boolean known = true;

  /**
   * Adds a node's.
   *
   * @param measured requests with a latency: answered or timed out
   * @param timedOut of them, those that timed out; null if the node does not count them
   * @param others requests that failed in another way, without a latency; null likewise
   */
  void add(long measured, Long timedOut, Long others) {
    if (timedOut == null || others == null) {
      // Its requests without their failures would make its part of the two groups look better.
      known = false;
      return;
    }
    requests += measured + others;
    failed += timedOut + others;
  }

  boolean any() {
    return failed > 0;
  }

  /** Whether every node counts them: earlier versions of Manx do not. */
  boolean isKnown() {
    return known;
  }

  /** {@code 12 of 3 400}. */
  String words() {
    return grouped(failed) + " of " + grouped(requests);
  }

  /** Whether another part of these requests fails than of others; 95 %. */
  boolean differsFrom(Failures other) {
    return differ(failed, requests, other.failed, other.requests);
  }

  /**
   * Whether requests of one group fail more or less often than those of another: given the number
   * of failures of both groups, those of one are binomial if requests of both fail equally often;
   * 95 %.
   *
   * @param failed of the first group's requests
   * @param otherFailed of the second group's requests
   */
  public static boolean differ(long failed, long requests, long otherFailed, long otherRequests) {
    if (requests == 0 || otherRequests == 0 || failed + otherFailed == 0) {
      return false;
    }
    double share = (double) requests / (requests + otherRequests);
    double below = Binomial.mid(failed + otherFailed, share, failed);
    return below < TAIL || below > 1 - TAIL;
  }

  static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number).replace(',', ' ');
  }
}
