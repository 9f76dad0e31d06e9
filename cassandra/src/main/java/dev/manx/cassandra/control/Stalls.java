/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.control;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Notices threads that do not come back from a policy's code. A thread writes into its own place
 * when it goes in and when it comes out; the timer looks once a second. Two threads whose ids fall
 * on one place may hide each other's stall, which is then noticed by the next that stalls.
 *
 * <p>Any thread; allocates nothing, takes no lock.
 */
public final class Stalls {
  private static final int PLACES = 1024;
  private static final long BOUND_NANOS = TimeUnit.SECONDS.toNanos(2);

  // When the thread went in; 0 for outside.
  private final AtomicLongArray since = new AtomicLongArray(PLACES);
  // As of the last look. The looking thread's own.
  private final long[] seen = new long[PLACES];

  /**
   * The calling thread goes into a policy's code.
   *
   * @return what its {@link #leave} gets, for the thread may be inside already
   */
  public long enter(long nowNanos) {
    int place = place();
    long outer = since.getOpaque(place);
    since.setOpaque(place, nowNanos == 0 ? 1 : nowNanos);
    return outer;
  }

  /** The calling thread is back where it was at {@link #enter}. */
  public void leave(long outer) {
    since.setOpaque(place(), outer);
  }

  private static int place() {
    return (int) Thread.currentThread().getId() & (PLACES - 1);
  }

  /**
   * Whether a thread has been inside for two seconds, and was so at the last look too: after a
   * pause of the whole JVM all seem late once. The timer's call, once a second.
   */
  public boolean look(long nowNanos) {
    boolean stalled = false;
    for (int i = 0; i < PLACES; i++) {
      long entered = since.getOpaque(i);
      stalled |= entered != 0 && entered == seen[i] && nowNanos - entered > BOUND_NANOS;
      seen[i] = entered;
    }
    return stalled;
  }

  /** Forgets those that are inside; they belong to a policy that was switched off. */
  public void forget() {
    for (int i = 0; i < PLACES; i++) {
      since.setOpaque(i, 0);
    }
  }
}
