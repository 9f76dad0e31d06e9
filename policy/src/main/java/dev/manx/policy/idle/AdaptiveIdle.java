/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.idle;

import dev.manx.policy.config.Setting;
import dev.manx.policy.spi.PolicyInfo;

/**
 * {@code idle.adaptive}: a few spins, a few yields, then sleeps that grow to a cap. A short wait
 * ends while spinning; a long one leaves the processor to other threads.
 */
/*
 * Source: "Inducing Huge Tail Latency on a MongoDB deployment", section II, and WiredTiger's own
 * __wt_spin_backoff: 10 spins, 990 yields, then sleeps of 100, 200, ... up to 1000 us. Our defaults
 * differ: more spins, since a JVM's pause is cheap; few yields, since a yield of a thread of higher
 * priority may return at once and 990 such yields burn a time slice; sleeps that double from 1 us,
 * since most waits that outlast the yields end soon. WiredTiger's law is { spins: 10, yields: 990,
 * first-park: 100us, growth: add, max-park: 1ms }.
 *
 * The cost: once the condition holds, the thread notices it at most one sleep later (max-park plus
 * the timer's slack).
 */
final class AdaptiveIdle implements IdleStrategy {
  static final PolicyInfo POLICY =
      PolicyInfo.named("idle.adaptive", "a few spins, a few yields, then sleeps that grow to a cap")
          .source("MongoDB tail latency paper, section II; WiredTiger __wt_spin_backoff")
          .settings(
              Setting.whole("spins", 100, 0, 10_000, "number of checks that only spin"),
              Setting.whole("yields", 10, 0, 10_000, "number of checks that then yield"),
              Setting.duration("first-park", "1us", "1ns", "100ms", "length of the first sleep"),
              Setting.choice(
                  "growth", Growth.class, "growth of the sleeps: double, or add the first sleep"),
              Setting.duration("max-park", "1ms", "1ns", "100ms", "length of the longest sleep"))
          .make(
              s ->
                  new AdaptiveIdle(
                      ThreadWaiter.INSTANCE,
                      s.whole("spins"),
                      s.whole("yields"),
                      s.number("first-park"),
                      s.choice("growth", Growth.class),
                      s.number("max-park")));

  /** How the length of the sleeps grows. */
  public enum Growth {
    /** Each sleep is twice as long as the one before. */
    DOUBLE,
    /** Each sleep is longer by the first one. */
    ADD
  }

  private final Waiter waiter;
  private final int spins;
  private final int yields;
  private final long firstParkNanos;
  private final long maxParkNanos;
  private final Growth growth;
  private int calls;
  private long parkNanos;

  /**
   * Creates a strategy on a waiter.
   *
   * @param spins number of checks after which it only spins
   * @param yields number of further checks after which it yields
   * @param firstParkNanos the first sleep, from 1 to {@code maxParkNanos}
   * @param maxParkNanos the longest sleep
   */
  AdaptiveIdle(
      Waiter waiter, int spins, int yields, long firstParkNanos, Growth growth, long maxParkNanos) {
    if (spins < 0 || yields < 0 || firstParkNanos < 1 || firstParkNanos > maxParkNanos) {
      throw new IllegalArgumentException(
          "spins and yields from 0, sleeps from 1 ns to the longest: "
              + spins
              + ", "
              + yields
              + ", "
              + firstParkNanos
              + ", "
              + maxParkNanos);
    }
    this.waiter = waiter;
    this.spins = spins;
    this.yields = yields;
    this.firstParkNanos = firstParkNanos;
    this.growth = growth;
    this.maxParkNanos = maxParkNanos;
  }

  @Override
  public void reset() {
    calls = 0;
    parkNanos = 0;
  }

  @Override
  public void idle() {
    if (calls < spins) {
      calls++;
      waiter.spin();
    } else if (calls - spins < yields) {
      calls++;
      waiter.giveWay();
    } else {
      parkNanos = next();
      waiter.park(parkNanos);
    }
  }

  private long next() {
    if (parkNanos == 0) {
      return firstParkNanos;
    }
    long step = growth == Growth.DOUBLE ? parkNanos : firstParkNanos;
    return step >= maxParkNanos - parkNanos ? maxParkNanos : parkNanos + step;
  }
}
