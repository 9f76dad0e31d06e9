/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.timer;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A timer with threads of its own: one watches the clock, and at most sixteen run what is due and
 * end when idle.
 */
public final class TimerThreads implements Timer, AutoCloseable {
  /* A task completes futures, so it may run code of the application that blocks. The thread that
   * watches the clock therefore never runs tasks, and the tasks run on no pool that an application or
   * the JDK uses too: a common pool whose threads all wait for backends would deliver no time-out. */
  private static final int MOST_THREADS = 16;
  private static final long IDLE_SECONDS = 2;

  /** Tasks that are due so soon after each other are one wake-up. */
  private static final long LEAST_SLEEP_NANOS = 500_000;

  private final Wheel wheel =
      new Wheel(System::nanoTime, Runtime.getRuntime().availableProcessors());
  private final Thread watch;
  private final AtomicBoolean started = new AtomicBoolean();
  private final ThreadPoolExecutor threads;
  private volatile boolean closed;

  // When the watch looks again, of the wheel's time; NEVER while it looks, so that none is missed.
  private volatile long sleepsUntil = Wheel.NEVER;

  /**
   * Starts no thread before it is needed.
   *
   * @param name of its threads
   */
  public TimerThreads(String name) {
    watch = daemons(name).newThread(this::watch);
    threads =
        new ThreadPoolExecutor(
            MOST_THREADS,
            MOST_THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            daemons(name + "-task"));
    threads.allowCoreThreadTimeOut(true);
  }

  private static ThreadFactory daemons(String name) {
    AtomicInteger made = new AtomicInteger();
    return work -> {
      Thread thread = new Thread(work, name + "-" + made.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  @Override
  public Alarm after(long nanos, Runnable task) {
    if (closed) {
      throw new RejectedExecutionException("closed");
    }
    long now = wheel.now();
    long due = now + Math.max(0, nanos);
    // Longer than a process lives.
    Alarm alarm = wheel.add(due < 0 ? Wheel.NEVER - 1 : due, now, task);
    if (closed) {
      // Meanwhile, and so perhaps too late for close() to find it.
      wheel.takeAll(this::run);
    } else if (!started.get() && started.compareAndSet(false, true)) {
      start();
    } else if (due < sleepsUntil) {
      LockSupport.unpark(watch);
    }
    return alarm;
  }

  private void start() {
    boolean runs = false;
    try {
      watch.start();
      runs = true;
    } finally {
      // If no thread can be made now, the next task tries again.
      started.set(runs);
    }
  }

  private void watch() {
    while (!closed) {
      sleepsUntil = Wheel.NEVER;
      long next = takeDue();
      sleepsUntil = next;
      if (closed) {
        return;
      }
      if (next == Wheel.NEVER) {
        LockSupport.park(this);
      } else {
        LockSupport.parkNanos(this, Math.max(LEAST_SLEEP_NANOS, next - wheel.now()));
      }
      // An interrupt is not for this thread; it would make every sleep end at once.
      Thread.interrupted();
    }
  }

  private long takeDue() {
    try {
      return wheel.takeDue(this::run);
    } catch (Throwable e) {
      // Out of memory, say. If this thread ended, nothing would time out any more.
      return wheel.now();
    }
  }

  private void run(Runnable task) {
    try {
      threads.execute(task);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // Closed, or no thread can be made. The wrong thread is better than a future that never
      // completes.
      runHere(task);
    }
  }

  /** What it throws must not keep others from running. */
  private static void runHere(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) {
      Thread here = Thread.currentThread();
      here.getUncaughtExceptionHandler().uncaughtException(here, e);
    }
  }

  /** Runs all waiting tasks now, so that nothing waits for them for ever, and ends the threads. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(watch);
    // Before the shutdown: after it they would refuse to run.
    wheel.takeAll(this::run);
    threads.shutdown();
  }
}
