/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import dev.manx.policy.spi.PolicyInfo;

/**
 * {@code order.max-weighted-flow}: the op whose wait is the largest multiple of its own cost, with
 * the bounded wait of every order. Short ops go first among equal waits, and a long op catches up
 * over time.
 *
 * <p>Ops are kept in logarithmic buckets of cost, and only the oldest op of each bucket is
 * compared: at most 248 comparisons, and the chosen op has at least four fifths of the largest
 * multiple.
 *
 * <p>Source: Hector's {@code MWFReadQueue}, which scans the whole queue. Deviations: the buckets;
 * cost is the forecast of service time; an op of unknown cost (0 or less) counts as the median of
 * the last few thousand known ones, whereas in Hector such an op never runs.
 */
final class MaxWeightedFlowOrder<T extends Op> extends AgedOrder<T> {
  static final PolicyInfo POLICY =
      PolicyInfo.named(
              "order.max-weighted-flow",
              "largest wait in multiples of the forecast cost, bounded wait")
          .source("Hector MWFReadQueue")
          .settings(MAX_WAIT, CAPACITY)
          .make(s -> new MaxWeightedFlowOrder<>(s.whole("capacity"), s.number("max-wait")));

  private final Buckets buckets = new Buckets();
  private final KnownCosts costs = new KnownCosts();

  /**
   * Creates an empty order.
   *
   * @param capacity most ops queued at once
   * @param maxWaitNanos after this wait the oldest op goes first
   */
  MaxWeightedFlowOrder(int capacity, long maxWaitNanos) {
    super(capacity, maxWaitNanos);
  }

  @Override
  void enter(T op) {
    op.rank = costs.of(op, recorded());
    buckets.append(op, Buckets.of(op.rank));
  }

  @Override
  public long memo(T op) {
    return KnownCosts.memo(op);
  }

  @Override
  void leave(T op) {
    buckets.remove(op);
  }

  // Only ops of type T are ever offered.
  @SuppressWarnings("unchecked")
  @Override
  T choose(long nowNanos) {
    Op best = null;
    double most = 0;
    for (int bucket = buckets.next(0); bucket >= 0; bucket = buckets.next(bucket + 1)) {
      Op head = buckets.head(bucket);
      double flow = (double) (nowNanos - head.arrivalNanos) / head.rank;
      // At the moment of arrival all flows are 0, and the cheaper bucket came first.
      if (best == null || flow > most) {
        best = head;
        most = flow;
      }
    }
    return (T) best;
  }
}
