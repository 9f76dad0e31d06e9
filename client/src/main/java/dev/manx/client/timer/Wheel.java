/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.timer;

import dev.manx.policy.NanoClock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Tasks by due time, in lists of neighbouring times (Varghese and Lauck, SOSP'87, scheme 6), with
 * several lists per time so that threads do not wait for each other. Adding and cancelling take
 * constant time. Any thread may add and cancel; one thread at a time takes due tasks.
 *
 * <p>Times are exact, not rounded to the width of a list.
 */
final class Wheel {
  /* A page starts a time-out for each load, and cancels nearly all: with a heap behind one lock,
   * every miss of every thread took that lock twice. Most time-outs fit into one turn of 4 s. */
  private static final int SLOTS = 256;
  private static final long WIDTH_NANOS = 1L << 24;
  private static final int MOST_STRIPES = 8;

  static final long NEVER = Long.MAX_VALUE;

  private final NanoClock clock;
  private final long originNanos;
  private final Slot[][] stripes;

  // Written by the thread that takes due tasks, before it starts.
  private volatile long lookedUpTo;

  /** A list; its fields are guarded by itself. */
  private static final class Slot {
    Entry first;
  }

  /** A task; its links are guarded by its slot. */
  private static final class Entry implements Alarm {
    private final Slot slot;
    private final long dueNanos;
    // Null once the task has run or is cancelled.
    private Runnable task;
    private Entry before;
    private Entry after;

    Entry(Slot slot, long dueNanos, Runnable task) {
      this.slot = slot;
      this.dueNanos = dueNanos;
      this.task = task;
    }

    @Override
    public void cancel() {
      take();
    }

    /** Returns the task to the first caller, which may run it; null to all others. */
    private Runnable take() {
      synchronized (slot) {
        Runnable taken = task;
        if (taken != null) {
          unlink();
        }
        return taken;
      }
    }

    private void link() {
      after = slot.first;
      if (after != null) {
        after.before = this;
      }
      slot.first = this;
    }

    private void unlink() {
      task = null;
      if (before == null) {
        slot.first = after;
      } else {
        before.after = after;
      }
      if (after != null) {
        after.before = before;
      }
      // A reference to a cancelled entry would otherwise retain all entries before and after it.
      before = null;
      after = null;
    }
  }

  /**
   * @param cpus number of processors
   */
  Wheel(NanoClock clock, int cpus) {
    this.clock = clock;
    originNanos = clock.nanoTime();
    stripes = new Slot[Integer.highestOneBit(Math.min(MOST_STRIPES, Math.max(1, cpus)))][SLOTS];
    for (Slot[] stripe : stripes) {
      for (int i = 0; i < SLOTS; i++) {
        stripe[i] = new Slot();
      }
    }
  }

  /** The present time of this wheel, which begins at 0. */
  long now() {
    return clock.nanoTime() - originNanos;
  }

  private static int place(long nanos) {
    return (int) (nanos / WIDTH_NANOS) & (SLOTS - 1);
  }

  /**
   * Adds a task.
   *
   * @param dueNanos in this wheel's time, at least 0
   * @param nowNanos the latest result of {@link #now}
   */
  Alarm add(long dueNanos, long nowNanos, Runnable task) {
    long id = Thread.currentThread().getId();
    int stripe = (int) ((id * 0x9E3779B97F4A7C15L) >>> 40) & (stripes.length - 1);
    for (long now = nowNanos; ; now = now()) {
      // A task that is already due belongs where the next check begins.
      long nanos = Math.max(dueNanos, now);
      Slot slot = stripes[stripe][place(nanos)];
      Entry entry = new Entry(slot, dueNanos, task);
      synchronized (slot) {
        entry.link();
      }
      // If a check has passed this list meanwhile, the task would be a whole turn late.
      boolean passed = nanos / WIDTH_NANOS < lookedUpTo / WIDTH_NANOS;
      if (!passed || entry.take() == null) {
        return entry;
      }
    }
  }

  /**
   * Takes all due tasks.
   *
   * @return when the next one is due, or {@link #NEVER}
   */
  long takeDue(Consumer<Runnable> run) {
    return takeDue(run, new ArrayList<>());
  }

  /**
   * Takes all due tasks.
   *
   * @param due an empty list for them
   */
  long takeDue(Consumer<Runnable> run, List<Runnable> due) {
    long now = now();
    long from = lookedUpTo / WIDTH_NANOS;
    long to = Math.min(now / WIDTH_NANOS, from + SLOTS - 1);
    lookedUpTo = now;
    long turn = from;
    try {
      for (; turn <= to; turn++) {
        take((int) turn & (SLOTS - 1), now, due);
      }
    } finally {
      if (turn <= to) {
        // Memory has run out. The tasks left in these lists would be a whole turn late.
        lookedUpTo = turn * WIDTH_NANOS;
      }
      // Taken tasks are in no list any more.
      due.forEach(run);
    }
    return next(now);
  }

  /** Takes all tasks. */
  void takeAll(Consumer<Runnable> run) {
    List<Runnable> all = new ArrayList<>();
    for (int i = 0; i < SLOTS; i++) {
      take(i, NEVER, all);
    }
    all.forEach(run);
  }

  private void take(int place, long upToNanos, List<Runnable> into) {
    for (Slot[] stripe : stripes) {
      Slot slot = stripe[place];
      synchronized (slot) {
        Entry next;
        for (Entry entry = slot.first; entry != null; entry = next) {
          next = entry.after;
          if (entry.dueNanos <= upToNanos) {
            into.add(entry.task);
            entry.unlink();
          }
        }
      }
    }
  }

  /** When the first task is due; considers tasks of later turns only if this turn has none. */
  private long next(long now) {
    long later = NEVER;
    for (long turn = now / WIDTH_NANOS; turn < now / WIDTH_NANOS + SLOTS; turn++) {
      long first = first((int) turn & (SLOTS - 1));
      if (first / WIDTH_NANOS <= turn) {
        return Math.min(first, later);
      }
      later = Math.min(later, first);
    }
    return later;
  }

  private long first(int place) {
    long first = NEVER;
    for (Slot[] stripe : stripes) {
      Slot slot = stripe[place];
      synchronized (slot) {
        for (Entry entry = slot.first; entry != null; entry = entry.after) {
          first = Math.min(first, entry.dueNanos);
        }
      }
    }
    return first;
  }
}
