/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import java.util.Arrays;

/** Splits whole numbers by shares, and keeps shares above floors. */
final class Apportionment {
  private Apportionment() {}

  /**
   * Rounds to whole units with a given sum by largest remainder (Hamilton): each result is within
   * one unit of its exact value if the exact values have that sum. Ties are broken by index,
   * starting at {@code turn}, so that no index is always first.
   *
   * @param exact finite
   * @param sum required sum of the results
   * @param turn any number not negative
   */
  static long[] round(double[] exact, long sum, int turn) {
    int n = exact.length;
    long[] whole = new long[n];
    long rest = sum;
    for (int i = 0; i < n; i++) {
      whole[i] = (long) Math.floor(exact[i]);
      rest -= whole[i];
    }
    if (n == 0 || rest == 0) {
      return whole;
    }
    Integer[] order = new Integer[n];
    Arrays.setAll(order, i -> (i + turn) % n);
    Arrays.sort(
        order,
        (a, b) -> Double.compare(exact[b] - Math.floor(exact[b]), exact[a] - Math.floor(exact[a])));
    long each = rest / n;
    long more = rest - each * n;
    if (more < 0) {
      each--;
      more += n;
    }
    for (int i = 0; i < n; i++) {
      whole[order[i]] += each + (i < more ? 1 : 0);
    }
    return whole;
  }

  /**
   * Raises the shares below their floors, at the expense of the others in proportion to their
   * excess over theirs. The sum is unchanged if it is at least that of the floors.
   */
  static void lift(double[] shares, double[] floors) {
    double missing = 0;
    double above = 0;
    for (int i = 0; i < shares.length; i++) {
      missing += Math.max(0, floors[i] - shares[i]);
      above += Math.max(0, shares[i] - floors[i]);
    }
    if (missing <= 0) {
      return;
    }
    double kept = above <= 0 ? 0 : Math.max(0, 1 - missing / above);
    for (int i = 0; i < shares.length; i++) {
      shares[i] = floors[i] + Math.max(0, shares[i] - floors[i]) * kept;
    }
  }
}
