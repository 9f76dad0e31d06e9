/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.control;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Detects threads that do not return from policy code: one after two seconds, eight at once after
 * one second, since a policy that blocks each request's thread would soon block all of them. A
 * thread writes into its own slot on entry and exit; the control thread checks four times a second.
 * If the ids of two threads share a slot, only the first to enter is watched.
 *
 * <p>Any thread; allocates nothing, takes no lock. Slots are also taken without a lock, so two
 * threads may briefly share one. Each empties it on its final exit, so this may at worst hide a
 * stall but never report a false one.
 */
public final class Stalls {
  private static final int PLACES = 1024;
  private static final long BOUND_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long BOUND_OF_MANY_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int MANY = 8;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(750);
  // Not a recorded time.
  private static final long NOT_WATCHED = 1;

  // Two values per slot, in one cache line: the id of the thread inside, 0 for none, and its time
  // of entry, 0 for outside.
  private final AtomicLongArray places = new AtomicLongArray(2 * PLACES);
  // The values at the last look. Used by the looking thread only.
  private final long[] seen = new long[PLACES];
  private long lookedNanos;

  /**
   * Records that the calling thread enters policy code.
   *
   * @return the argument for its {@link #leave}, since the thread may be inside already
   */
  public long enter(long nowNanos) {
    return enter(Thread.currentThread().getId(), nowNanos);
  }

  /** Restores the state that the calling thread had at {@link #enter}. */
  public void leave(long outer) {
    leave(Thread.currentThread().getId(), outer);
  }

  long enter(long thread, long nowNanos) {
    int owner = owner(thread);
    long inside = places.getOpaque(owner);
    if (inside != 0 && inside != thread) {
      return NOT_WATCHED;
    }
    long outer = inside == 0 ? 0 : places.getOpaque(owner + 1);
    places.setOpaque(owner, thread);
    places.setOpaque(owner + 1, nowNanos == 0 || nowNanos == NOT_WATCHED ? 2 : nowNanos);
    return outer;
  }

  void leave(long thread, long outer) {
    if (outer == NOT_WATCHED) {
      return;
    }
    int owner = owner(thread);
    places.setOpaque(owner + 1, outer);
    if (outer == 0) {
      places.setOpaque(owner, 0);
    }
  }

  private static int owner(long thread) {
    return 2 * ((int) thread & (PLACES - 1));
  }

  /**
   * Whether a thread has been inside for two seconds, or eight for one second, and were so at the
   * last look too: after a pause of the whole JVM all seem late once. Called by one thread, several
   * times a second.
   */
  public boolean look(long nowNanos) {
    // The looking thread was delayed itself, and perhaps the others too.
    boolean paused = nowNanos - lookedNanos > PAUSE_NANOS;
    lookedNanos = nowNanos;
    boolean stalled = false;
    int late = 0;
    for (int i = 0; i < PLACES; i++) {
      long entered = places.getOpaque(2 * i + 1);
      if (entered != 0 && entered == seen[i]) {
        long inside = nowNanos - entered;
        stalled |= inside > BOUND_NANOS;
        late += inside > BOUND_OF_MANY_NANOS ? 1 : 0;
      }
      seen[i] = entered;
    }
    return !paused && (stalled || late >= MANY);
  }

  /** Forgets the threads inside; they belong to a policy that was switched off. */
  public void forget() {
    for (int i = 0; i < PLACES; i++) {
      places.setOpaque(2 * i + 1, 0);
    }
  }
}
