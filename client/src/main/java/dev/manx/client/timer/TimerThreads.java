/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.timer;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * A timer with its own threads: one watches the clock, and at most sixteen run due tasks and end
 * when idle.
 */
public final class TimerThreads implements Timer, AutoCloseable {
  /* A task completes futures, so it may run application code that blocks. The thread that watches
   * the clock therefore never runs tasks, and tasks do not run on a pool of the application or the
   * JDK: a common pool whose threads all wait for backends would deliver no time-outs. */
  private static final int MOST_THREADS = 16;
  private static final long IDLE_SECONDS = 2;

  /** Tasks that are due within this time share a wake-up. */
  private static final long LEAST_SLEEP_NANOS = 500_000;

  private final Wheel wheel =
      new Wheel(System::nanoTime, Runtime.getRuntime().availableProcessors());
  private final Thread watch;
  private final AtomicBoolean started = new AtomicBoolean();
  private final ThreadPoolExecutor threads;
  private volatile boolean closed;

  // Next check, in the wheel's time; NEVER during a check, so that no task is missed.
  private volatile long sleepsUntil = Wheel.NEVER;

  /**
   * Creates a timer; threads start when needed.
   *
   * @param name name of its threads
   */
  public TimerThreads(String name) {
    watch = Daemons.named(name).newThread(this::watch);
    threads =
        new ThreadPoolExecutor(
            MOST_THREADS,
            MOST_THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Daemons.named(name + "-task"));
    threads.allowCoreThreadTimeOut(true);
  }

  @Override
  public Alarm after(long nanos, Runnable task) {
    if (closed) {
      throw new RejectedExecutionException("closed");
    }
    long now = wheel.now();
    long due = now + Math.max(0, nanos);
    // Longer than a process runs.
    Alarm alarm = wheel.add(due < 0 ? Wheel.NEVER - 1 : due, now, task);
    if (closed) {
      // Set concurrently, so close() may have missed the task.
      wheel.takeAll(this::run);
    } else if (!started.get() && started.compareAndSet(false, true)) {
      start();
    } else if (due < sleepsUntil) {
      LockSupport.unpark(watch);
    }
    return alarm;
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  private void start() {
    boolean runs = false;
    try {
      watch.start();
      runs = true;
    } finally {
      // If no thread can be created now, the next task tries again.
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
      // An interrupt is not meant for this thread, and would end every sleep at once.
      Thread.interrupted();
    }
  }

  private long takeDue() {
    try {
      return wheel.takeDue(this::run);
    } catch (Throwable e) {
      // For example, out of memory. If this thread ended, no time-out would be delivered any more.
      return wheel.now();
    }
  }

  private void run(Runnable task) {
    try {
      threads.execute(task);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // Closed, or no thread can be created. The wrong thread is better than a future that never
      // completes.
      runHere(task);
    }
  }

  /** Runs a task here; its exception must not keep others from running. */
  private static void runHere(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) {
      Thread here = Thread.currentThread();
      here.getUncaughtExceptionHandler().uncaughtException(here, e);
    }
  }

  /** Runs all waiting tasks now, so that no caller waits for ever, and ends the threads. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(watch);
    // Before the shutdown, after which they would be rejected.
    wheel.takeAll(this::run);
    threads.shutdown();
  }
}
