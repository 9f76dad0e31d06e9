/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.control;

import dev.manx.policy.NanoClock;
import dev.manx.policy.order.StuckOrderException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles every throwable of Manx's own code: counts it, logs it at most once a minute and reports
 * it to the breaker. The caller then takes the stock decision. VM errors are rethrown, so that
 * Cassandra handles them. Any thread.
 */
public final class Guard {
  private static final Logger logger = LoggerFactory.getLogger(Guard.class);
  private static final long LOG_EVERY_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Counters counters;
  private final Breaker breaker;
  private final NanoClock clock;
  private final Runnable onOpen;
  private final AtomicLong nextLogNanos;
  private final Stalls stalls = new Stalls();

  /**
   * @param onOpen called once each time the breaker opens, on the failing thread; must not block
   */
  public Guard(Counters counters, Breaker breaker, NanoClock clock, Runnable onOpen) {
    this.counters = counters;
    this.breaker = breaker;
    this.clock = clock;
    this.onOpen = onOpen;
    this.nextLogNanos = new AtomicLong(clock.nanoTime());
  }

  /**
   * Handles a throwable.
   *
   * @param where the hook that failed, for the log
   * @throws VirtualMachineError if the throwable is one, except for a stack overflow
   */
  public void fault(String where, Throwable fault) {
    throwIfOfVm(fault);
    if (fault instanceof StuckOrderException) {
      stuck(where + ": " + fault.getMessage());
      return;
    }
    counters.count(Counter.FAULTS);
    long now = clock.nanoTime();
    long next = nextLogNanos.get();
    if (now - next >= 0 && nextLogNanos.compareAndSet(next, now + LOG_EVERY_NANOS)) {
      logger.warn("Manx failed in {}; the stock decision was taken", where, fault);
    }
    if (breaker.failed(where + ": " + fault, now)) {
      counters.count(Counter.BREAKER_OPENED);
      onOpen.run();
    }
  }

  /**
   * Handles a throwable where a read would be lost if a VM error were rethrown: such an error opens
   * the breaker instead.
   */
  public void survived(String where, Throwable fault) {
    try {
      fault(where, fault);
    } catch (VirtualMachineError e) {
      stuck(where + " met " + e);
    }
  }

  /**
   * Rethrows VM errors. A stack overflow is not treated as one: the code that ran out of stack is
   * at fault, and the stack is intact again where it is caught.
   */
  public static void throwIfOfVm(Throwable fault) {
    if (fault instanceof VirtualMachineError && !(fault instanceof StackOverflowError)) {
      throw (VirtualMachineError) fault;
    }
  }

  /** The registry of threads inside policy code. */
  public Stalls stalls() {
    return stalls;
  }

  /**
   * Reports that a policy does not return from a call. Opens the breaker at once and permanently:
   * each retry could block another thread.
   *
   * @param what a description for the log and for {@code manx.strategy}
   */
  public void stuck(String what) {
    counters.count(Counter.POLICIES_STUCK);
    if (breaker.trip(what, clock.nanoTime())) {
      counters.count(Counter.BREAKER_OPENED);
      onOpen.run();
    }
  }
}
