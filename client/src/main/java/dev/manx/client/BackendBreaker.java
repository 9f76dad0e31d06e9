/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.log.SparseLog;
import dev.manx.policy.NanoClock;
import java.util.BitSet;
import java.util.function.Predicate;

/**
 * A circuit breaker for the loads of one backend. After too many failures it opens for a while,
 * then is half-open: it permits one trial load at a time, whose result decides. Thread-safe.
 */
final class BackendBreaker {
  /* Resilience4j's count-based breaker does the same with more states and four dependencies,
   * which a cache should not impose on its host. A ring of bits is enough. */

  /** Permission to begin a load. Loads of the same closed period share a permit. */
  static final class Permit {
    /** The load fails at once. */
    static final Permit NO = new Permit(false);

    /** Whether the load's result decides if others may begin. */
    final boolean trial;

    private Permit(boolean trial) {
      this.trial = trial;
    }
  }

  private final int window;
  private final int mostFailures;
  private final long openNanos;
  private final Predicate<Throwable> ignored;
  private final NanoClock clock;
  private final SparseLog log = new SparseLog(Backend.class);

  // Guarded by this.
  private final BitSet failed = new BitSet();
  private int next;
  private int seen;
  // The permit of the trial load; null without a trial.
  private Permit trying;
  private long openedNanos;

  // The permit for loads while closed, else null; also read without the lock, by every load.
  private volatile Permit closed = new Permit(false);

  BackendBreaker(BreakerSettings settings, NanoClock clock) {
    window = settings.loads();
    // The product may slightly exceed the intended whole number: 100 times 0.07.
    double most = settings.loads() * settings.failures();
    mostFailures = (int) Math.max(1, Math.ceil(most - 1e-9));
    openNanos = settings.openFor().toNanos();
    ignored = settings.ignoreException();
    this.clock = clock;
  }

  /** Whether the breaker is off: permits every load and needs no permits. */
  boolean isOff() {
    return openNanos == 0;
  }

  /**
   * Requests a permit; {@link #ended} or {@link #ignore} follows unless it is {@link Permit#NO}.
   */
  Permit permit() {
    Permit now = closed;
    return now != null ? now : permitToTry();
  }

  private synchronized Permit permitToTry() {
    if (closed != null) {
      return closed;
    }
    if (trying != null || clock.nanoTime() - openedNanos < openNanos) {
      return Permit.NO;
    }
    trying = new Permit(true);
    return trying;
  }

  /** Reports the end of a load. */
  void ended(Permit permit, boolean success) {
    if (openNanos > 0 && permit != Permit.NO) {
      count(permit, success);
    }
  }

  private synchronized void count(Permit permit, boolean success) {
    // The clock is read last: it belongs to the application and may fail. The next load is then a
    // trial, or decides in place of this one.
    if (permit == trying) {
      trying = null;
      failed.clear();
      seen = 0;
      next = 0;
      if (success) {
        closed = new Permit(false);
      } else {
        openedNanos = clock.nanoTime();
      }
      return;
    }
    if (permit != closed) {
      // The load began before the breaker opened: it does not reflect the backend's present state.
      return;
    }
    failed.set(next, !success);
    next = (next + 1) % window;
    seen = Math.min(window, seen + 1);
    if (seen == window && failed.cardinality() >= mostFailures) {
      openedNanos = clock.nanoTime();
      closed = null;
    }
  }

  /** Whether an exception of the loader says nothing about the backend. */
  boolean ignores(Throwable failure) {
    try {
      return ignored.test(failure);
    } catch (Throwable e) {
      log.warn("ignoreException of a circuit breaker failed, so the load counts as failed", e);
      return false;
    }
  }

  /** Reports the end of a load that is not counted; after a trial, the next load is one. */
  synchronized void ignore(Permit permit) {
    if (permit == trying) {
      trying = null;
    }
  }

  /** Whether loads fail at once, except for the trial. */
  boolean isOpen() {
    return closed == null;
  }
}
