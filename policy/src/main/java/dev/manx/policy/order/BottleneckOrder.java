/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import dev.manx.policy.spi.PolicyInfo;

/**
 * {@code order.bottleneck}: the op whose request has the smallest bottleneck first, in arrival
 * order among equals, and no op waits longer than {@code max-wait} behind later ones.
 *
 * <p>Every operation takes constant time, except for the insertion walk of {@code longest-first}
 * (at most 128 steps).
 *
 * <p>Source: shortest bottleneck first, Rein (EuroSys'17) and EqualMax, BRB section 2.1.
 * Deviations: priorities are quantised to a quarter of their value (see {@link Buckets}); reads of
 * one request in one bucket run costliest first if the request wants it; the bounded wait.
 */
public final class BottleneckOrder<T extends Op> extends AgedOrder<T> {
  static final PolicyInfo POLICY =
      PolicyInfo.named(
              "order.bottleneck",
              "smallest bottleneck first, arrival order among equals, bounded wait")
          .source("Rein (EuroSys'17) SBF; BRB section 2.1")
          .settings(MAX_WAIT, CAPACITY)
          .make(s -> new BottleneckOrder<>(s.whole("capacity"), s.number("max-wait")));

  private final Buckets buckets = new Buckets();

  /**
   * Creates an empty order.
   *
   * @param capacity most ops queued at once
   * @param maxWaitNanos after this wait the oldest op goes first
   */
  public BottleneckOrder(int capacity, long maxWaitNanos) {
    super(capacity, maxWaitNanos);
  }

  @Override
  void enter(T op) {
    buckets.add(op);
  }

  @Override
  void leave(T op) {
    buckets.remove(op);
  }

  // Only ops of type T are ever offered.
  @SuppressWarnings("unchecked")
  @Override
  T choose(long nowNanos) {
    return (T) buckets.head();
  }
}
