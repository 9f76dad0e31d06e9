/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.timer;

import dev.manx.policy.NanoClock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Tasks by the time at which they are due, in lists of neighbouring times (Varghese and Lauck,
 * SOSP'87, scheme 6), several of each so that threads do not wait for each other. Adding and
 * cancelling take constant time. Any thread adds and cancels, one at a time looks for what is due.
 *
 * <p>Its times are not rounded to the width of a list: each task has its own.
 */
final class Wheel {
  /* A page arms a time-out for each load, and cancels nearly all: a heap behind one lock made every
   * miss of every thread take that lock twice. 4 s in one turn hold most time-outs. */
  private static final int SLOTS = 256;
  private static final long WIDTH_NANOS = 1L << 24;
  private static final int MOST_STRIPES = 8;

  static final long NEVER = Long.MAX_VALUE;

  private final NanoClock clock;
  private final long originNanos;
  private final Slot[][] stripes;

  // Written by the thread that looks for what is due, before it looks.
  private volatile long lookedUpTo;

  /** A list; its fields are guarded by itself. */
  private static final class Slot {
    Entry first;
  }

  /** A task; its links are guarded by its slot. */
  private static final class Entry implements Alarm {
    private final Slot slot;
    private final long dueNanos;
    // Null once it is done or cancelled.
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

    /** The task, for the only one who may run it; null for all others. */
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
      // A cancelled entry that is still held would hold all that came before and after it.
      before = null;
      after = null;
    }
  }

  /**
   * @param cpus of this machine
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

  /** Now, in the time of this wheel, which begins at 0. */
  long now() {
    return clock.nanoTime() - originNanos;
  }

  private static int place(long nanos) {
    return (int) (nanos / WIDTH_NANOS) & (SLOTS - 1);
  }

  /**
   * Adds a task.
   *
   * @param dueNanos of this wheel's time, at least 0
   * @param nowNanos what {@link #now} has just said
   */
  Alarm add(long dueNanos, long nowNanos, Runnable task) {
    long id = Thread.currentThread().getId();
    int stripe = (int) ((id * 0x9E3779B97F4A7C15L) >>> 40) & (stripes.length - 1);
    for (long now = nowNanos; ; now = now()) {
      // What is due already belongs where the next look begins.
      long nanos = Math.max(dueNanos, now);
      Slot slot = stripes[stripe][place(nanos)];
      Entry entry = new Entry(slot, dueNanos, task);
      synchronized (slot) {
        entry.link();
      }
      // If a look has passed the list meanwhile, the task is there a whole turn too late.
      boolean passed = nanos / WIDTH_NANOS < lookedUpTo / WIDTH_NANOS;
      if (!passed || entry.take() == null) {
        return entry;
      }
    }
  }

  /**
   * Takes the tasks that are due.
   *
   * @return when the next one is due, or {@link #NEVER}
   */
  long takeDue(Consumer<Runnable> run) {
    long now = now();
    List<Runnable> due = new ArrayList<>();
    long from = lookedUpTo / WIDTH_NANOS;
    long to = Math.min(now / WIDTH_NANOS, from + SLOTS - 1);
    lookedUpTo = now;
    try {
      for (long turn = from; turn <= to; turn++) {
        take((int) turn & (SLOTS - 1), now, due);
      }
    } finally {
      // If memory runs out, what was taken is in no list any more.
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

  /** When the first task is due; of those of a later turn only if this one has none. */
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
