/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.policy.NanoClock;
import java.util.BitSet;

/**
 * A circuit breaker for the loads of one backend: closed, open for a while after too many failures,
 * then half open: one load at a time is let through, the trial, and its end decides. Any thread.
 */
final class Breaker {
  /* Resilience4j's count-based breaker does the same with more states and a dependency of four jars
   * that a cache should not force on its host; a ring of bits is all there is to it. */

  /** Whether a load may begin. Those of one time that it was closed have the same. */
  static final class Permit {
    /** It fails at once. */
    static final Permit NO = new Permit(false);

    /** Whether the load's end decides whether others may begin. */
    final boolean trial;

    private Permit(boolean trial) {
      this.trial = trial;
    }
  }

  private final int window;
  private final int mostFailures;
  private final long openNanos;
  private final NanoClock clock;

  // Guarded by this.
  private final BitSet failed = new BitSet();
  private int next;
  private int seen;
  // Of the load whose end decides whether others may begin; null if there is none.
  private Permit trying;
  private long openedNanos;

  // What loads get while it is closed, else null; also read without the lock, by every load.
  private volatile Permit closed = new Permit(false);

  Breaker(BreakerSettings settings, NanoClock clock) {
    window = settings.loads();
    // A product may be a little more than the whole number that it stands for: 100 times 0.07.
    double most = settings.loads() * settings.failures();
    mostFailures = (int) Math.max(1, Math.ceil(most - 1e-9));
    openNanos = settings.openFor().toNanos();
    this.clock = clock;
  }

  /** Whether it lets every load through, and needs no permits. */
  boolean isOff() {
    return openNanos == 0;
  }

  /** Asks for a load; {@link #ended} follows unless the answer is no. */
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

  /** A load has ended. */
  void ended(Permit permit, boolean success) {
    if (openNanos > 0 && permit != Permit.NO) {
      count(permit, success);
    }
  }

  private synchronized void count(Permit permit, boolean success) {
    if (permit == trying) {
      trying = null;
      closed = success ? new Permit(false) : null;
      openedNanos = clock.nanoTime();
      failed.clear();
      seen = 0;
      next = 0;
      return;
    }
    if (permit != closed) {
      // Begun before it opened: it says nothing of the backend since.
      return;
    }
    failed.set(next, !success);
    next = (next + 1) % window;
    seen = Math.min(window, seen + 1);
    if (seen == window && failed.cardinality() >= mostFailures) {
      closed = null;
      openedNanos = clock.nanoTime();
    }
  }

  /** Whether loads fail at once, but for the one that tries. */
  boolean isOpen() {
    return closed == null;
  }
}
