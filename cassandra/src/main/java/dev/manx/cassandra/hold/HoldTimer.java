/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.hold;

import dev.manx.policy.NanoClock;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * The reads that wait, by when they are to leave, and a thread of its own that lets them. Adding
 * takes no lock, and wakes the thread only for a read that leaves before all others. Any thread.
 */
/*
 * Not the wheel of the copies: nearly all that is armed there is answered before its time, so it may be
 * milliseconds late and its entries cost nothing. Here each entry comes to its time, and each microsecond
 * beyond it is added to a request. And a planner that blocks the thread of the copies must hold up no read.
 */
final class HoldTimer {
  private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(2);
  // How long it may take until reads of another engine leave, while some wait.
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private static final long SHORTEST_REST_NANOS = 20_000;

  private final NanoClock clock;
  private final Runnable look;
  private final LongSupplier early;
  private final ConcurrentSkipListSet<HeldRead> reads = new ConcurrentSkipListSet<>();
  private final AtomicInteger size = new AtomicInteger();
  private final AtomicLong sequence = new AtomicLong();
  private volatile boolean runs;
  private volatile Thread thread;
  // When the thread began to look; 0 while it rests.
  private volatile long beganNanos;
  private volatile long restsUntilNanos;

  /**
   * @param look lets those leave whose time has come; must not throw
   * @param early when it is to look at the latest, if reads wait
   */
  HoldTimer(NanoClock clock, Runnable look, LongSupplier early) {
    this.clock = clock;
    this.look = look;
    this.early = early;
  }

  /** Reads that wait. */
  int size() {
    return size.get();
  }

  /**
   * Has a read wait.
   *
   * @return false if too many wait
   */
  boolean add(HeldRead read, long dueNanos) {
    if (size.incrementAndGet() > Holds.MOST) {
      size.decrementAndGet();
      return false;
    }
    read.due(dueNanos, sequence.incrementAndGet());
    reads.add(read);
    if (runs && reads.lower(read) == null) {
      wake();
    }
    return true;
  }

  /** Takes a read out. */
  void remove(HeldRead read) {
    if (reads.remove(read)) {
      size.decrementAndGet();
    }
  }

  /** Those that wait, the next to leave first; may be changed meanwhile. */
  Iterable<HeldRead> reads() {
    return reads;
  }

  /** From now on a thread has reads leave; if the last one hangs, another one. */
  void run() {
    runs = true;
    if (thread != null || size.get() > 0) {
      ensure();
    }
  }

  /** Has the thread look at a time, if it rests for longer. */
  void wakeBy(long nanos) {
    if (runs && nanos < restsUntilNanos) {
      wake();
    }
  }

  private void wake() {
    Thread waiting = thread;
    if (waiting == null) {
      ensure();
    } else {
      LockSupport.unpark(waiting);
    }
  }

  private synchronized void ensure() {
    long began = beganNanos;
    if (thread != null
        && thread.isAlive()
        && (began == 0 || clock.nanoTime() - began < STUCK_NANOS)) {
      return;
    }
    Thread next = new Thread(this::loop, "manx-holds");
    next.setDaemon(true);
    thread = next;
    next.start();
  }

  private void loop() {
    Thread self = Thread.currentThread();
    while (thread == self) {
      long now = clock.nanoTime();
      beganNanos = now == 0 ? 1 : now;
      look.run();
      if (thread != self) {
        return;
      }
      beganNanos = 0;
      rest();
    }
  }

  private void rest() {
    HeldRead next = first();
    if (next == null) {
      LockSupport.park(this);
      return;
    }
    long now = clock.nanoTime();
    long nanos = Math.min(next.dueNanos() - now, LOOK_NANOS);
    restsUntilNanos = now + nanos;
    long atLatest = early.getAsLong();
    if (atLatest < restsUntilNanos) {
      nanos = atLatest - now;
    }
    // One whose time has come may be in the hands of another thread.
    LockSupport.parkNanos(this, Math.max(nanos, SHORTEST_REST_NANOS));
  }

  private HeldRead first() {
    for (HeldRead read : reads) {
      return read;
    }
    return null;
  }
}
