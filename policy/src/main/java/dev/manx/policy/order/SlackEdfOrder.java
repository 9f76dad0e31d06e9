/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import dev.manx.policy.spi.PolicyInfo;

/**
 * {@code order.slack-edf}: the op that must start first, that is with the smallest sum of arrival
 * and slack, in arrival order among equals. No op starves: later ops arrive later. Logarithmic
 * time.
 *
 * <p>Source: Rein (EuroSys'17), slack-driven scheduling, with a deadline as our reading. Deviation:
 * slack above {@code max-wait} counts as {@code max-wait}.
 */
final class SlackEdfOrder<T extends Op> extends AgedOrder<T> {
  static final PolicyInfo POLICY =
      PolicyInfo.named("order.slack-edf", "the read that must start first: arrival plus slack")
          .source("Rein (EuroSys'17) slack-driven scheduling")
          .settings(MAX_WAIT, CAPACITY)
          .make(s -> new SlackEdfOrder<>(s.whole("capacity"), s.number("max-wait")));

  private final OpHeap<T> heap = new OpHeap<>(false);
  private final long maxWaitNanos;
  private long sequence;

  /**
   * Creates an empty order.
   *
   * @param capacity most ops queued at once
   * @param maxWaitNanos most slack that counts; after this wait the oldest op goes first
   */
  SlackEdfOrder(int capacity, long maxWaitNanos) {
    super(capacity, maxWaitNanos);
    this.maxWaitNanos = maxWaitNanos;
  }

  @Override
  void enter(T op) {
    heap.add(op, latestStart(op, maxWaitNanos), sequence++);
  }

  @Override
  void leave(T op) {
    heap.remove(op);
  }

  @Override
  T choose(long nowNanos) {
    return heap.peek();
  }

  static long latestStart(Op op, long maxWaitNanos) {
    long slack = Math.max(0, Math.min(op.slack, maxWaitNanos));
    long start = op.arrivalNanos + slack;
    return start < op.arrivalNanos ? Long.MAX_VALUE : start;
  }
}
