/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.copy;

import dev.manx.cassandra.control.ReplaceableThread;
import dev.manx.policy.NanoClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A timer wheel with millisecond slots and its own thread, which calls a consumer when a read is
 * due, at most a few milliseconds late. Adding takes no lock and wakes the thread only if no read
 * was armed. Holds at most {@link #MOST} reads. Any thread.
 */
/*
 * Nearly all reads are answered long before they are due, at no cost here: the wheel finds them
 * closed when it reaches them. A priority queue would have to be locked by every request thread,
 * and its thread woken for nearly every read.
 *
 * The thread runs policy code. If it hangs there, it is abandoned, and the next switch starts
 * another.
 */
public final class CopyTimer<T extends CopyTimer.Timed> {
  /** An entry with a due time. */
  public interface Timed {
    /** The due time; used by the timer only. */
    long dueNanos();

    /** Sets the due time. */
    void dueNanos(long nanos);
  }

  /** Most armed reads at one time. */
  public static final int MOST = 16_384;

  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final int BUCKETS = 1_024;
  // A thread that adds may be delayed between reading the clock and inserting into its slot.
  private static final int BEHIND = 8;

  private final Consumer<T> due;
  private final List<ConcurrentLinkedQueue<T>> buckets = new ArrayList<>(BUCKETS);
  private final AtomicInteger armed = new AtomicInteger();
  // Started when the first read is armed.
  private final ReplaceableThread thread;
  private volatile boolean runs;
  private volatile long nextTick;

  /**
   * @param name name of its thread
   * @param due gets a read that is due; must not throw
   */
  public CopyTimer(String name, NanoClock clock, Consumer<T> due) {
    this.due = due;
    thread = new ReplaceableThread(name, clock, this::advance, this::rest);
    for (int i = 0; i < BUCKETS; i++) {
      buckets.add(new ConcurrentLinkedQueue<>());
    }
    nextTick = Math.floorDiv(clock.nanoTime(), TICK_NANOS);
  }

  /** Number of armed reads. */
  public int armed() {
    return armed.get();
  }

  /**
   * Schedules a read for a time.
   *
   * @return false if too many are armed
   */
  public boolean add(T read, long dueNanos) {
    int before = armed.getAndIncrement();
    if (before >= MOST) {
      armed.decrementAndGet();
      return false;
    }
    read.dueNanos(dueNanos);
    // After a pause of the whole JVM the time may have passed, and its slot would not be checked
    // again for a turn of the wheel.
    bucket(Math.max(nextTick, Math.floorDiv(dueNanos, TICK_NANOS) + 1)).add(read);
    if (before == 0 && runs) {
      thread.wake();
    }
    return true;
  }

  private ConcurrentLinkedQueue<T> bucket(long tick) {
    return buckets.get((int) Math.floorMod(tick, (long) BUCKETS));
  }

  /** Starts a thread for due reads; if the last one hangs, another one. */
  public void run() {
    runs = true;
    // Reads armed before would keep later ones from starting the thread.
    if (thread.isStarted() || armed.get() > 0) {
      thread.ensure();
    }
  }

  private void rest() {
    if (armed.get() == 0) {
      LockSupport.park(this);
    } else {
      LockSupport.parkNanos(this, TICK_NANOS);
    }
  }

  /** Calls the consumer with all due reads. Called by the thread only. */
  public void advance(long nowNanos) {
    long last = Math.floorDiv(nowNanos, TICK_NANOS);
    long first = Math.max(nextTick - BEHIND, last - BUCKETS + 1);
    nextTick = last + 1;
    for (long tick = first; tick <= last; tick++) {
      drain(bucket(tick), nowNanos);
    }
  }

  // The consumer may never return, so reads that are not due stay in the bucket. A hung thread that
  // returns works at the same time as its successor, so each read is claimed by its removal.
  private void drain(ConcurrentLinkedQueue<T> bucket, long nowNanos) {
    for (T read : bucket) {
      if (nowNanos - read.dueNanos() >= 0 && bucket.remove(read)) {
        armed.decrementAndGet();
        due.accept(read);
      }
    }
  }
}
