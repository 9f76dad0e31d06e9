/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/**
 * The costs of the last few thousand ops, by which an op of unknown cost (0 or less) counts: their
 * median. Sequential.
 */
final class KnownCosts {
  private static final int MANY = 4_096;

  private final int[] seen = new int[Buckets.COUNT];
  private int seenTotal;

  /**
   * The cost by which an op is ranked, at least 1; learns the cost of the op.
   *
   * @param recorded the op's recorded {@link #memo}
   */
  long of(Op op, long recorded) {
    if (op.costNanos > 0) {
      learn(Buckets.of(op.costNanos));
      return op.costNanos;
    }
    return recorded == Order.NO_MEMO ? median() : recorded;
  }

  /** The {@link Order#memo} of an op that is ranked by its cost. */
  static long memo(Op op) {
    return op.costNanos > 0 ? Order.NO_MEMO : op.rank;
  }

  private void learn(int bucket) {
    seen[bucket]++;
    if (++seenTotal >= MANY) {
      seenTotal = 0;
      for (int i = 0; i < seen.length; i++) {
        seen[i] /= 2;
        seenTotal += seen[i];
      }
    }
  }

  private long median() {
    int below = 0;
    for (int bucket = 0; bucket < seen.length; bucket++) {
      below += seen[bucket];
      if (2 * below >= seenTotal && below > 0) {
        return Math.max(1, Buckets.lowerEdge(bucket));
      }
    }
    return 1;
  }
}
