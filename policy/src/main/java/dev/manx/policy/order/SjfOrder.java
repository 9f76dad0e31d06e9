/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import dev.manx.policy.spi.PolicyInfo;

/**
 * {@code order.sjf}: the op with the smallest forecast cost first, exactly, in arrival order among
 * equals, with the bounded wait of every order. Logarithmic time.
 *
 * <p>Source: shortest job first; Hector's {@code PriorityReadQueue}. Deviations: first-in first-out
 * among equals, whereas Hector's heap has no order; the bounded wait, without which a large read
 * behind an endless stream of small ones never runs; an op of unknown cost (0 or less) counts as
 * the median of the last few thousand known ones.
 */
final class SjfOrder<T extends Op> extends AgedOrder<T> {
  static final PolicyInfo POLICY =
      PolicyInfo.named(
              "order.sjf", "smallest forecast cost first, arrival order among equals, bounded wait")
          .source("shortest job first; Hector PriorityReadQueue")
          .settings(MAX_WAIT, CAPACITY)
          .make(s -> new SjfOrder<>(s.whole("capacity"), s.number("max-wait")));

  private final OpHeap<T> heap = new OpHeap<>(false);
  private final KnownCosts costs = new KnownCosts();
  private long sequence;

  /**
   * Creates an empty order.
   *
   * @param capacity most ops queued at once
   * @param maxWaitNanos after this wait the oldest op goes first
   */
  SjfOrder(int capacity, long maxWaitNanos) {
    super(capacity, maxWaitNanos);
  }

  @Override
  void enter(T op) {
    heap.add(op, costs.of(op, recorded()), sequence++);
  }

  @Override
  public long memo(T op) {
    return KnownCosts.memo(op);
  }

  @Override
  void leave(T op) {
    heap.remove(op);
  }

  @Override
  T choose(long nowNanos) {
    return heap.peek();
  }
}
