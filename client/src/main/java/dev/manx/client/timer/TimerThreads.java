/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.timer;

import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

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

  private final ScheduledThreadPoolExecutor clock;
  private final ThreadPoolExecutor threads;
  private volatile boolean closed;

  /**
   * Starts no thread before it is needed.
   *
   * @param name of its threads
   */
  public TimerThreads(String name) {
    clock = new ScheduledThreadPoolExecutor(1, daemons(name));
    // Nearly every time-out is cancelled; without this they would pile up until they are due.
    clock.setRemoveOnCancelPolicy(true);
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
  public Future<?> after(long nanos, Runnable task) {
    Future<?> later = clock.schedule(() -> run(task), nanos, TimeUnit.NANOSECONDS);
    if (closed) {
      run(task);
    }
    return later;
  }

  private void run(Runnable task) {
    try {
      threads.execute(task);
    } catch (RejectedExecutionException e) {
      // Closed. The wrong thread is better than a future that never completes.
      task.run();
    }
  }

  /** Runs all waiting tasks now, so that nothing waits for them for ever, and ends the threads. */
  @Override
  public void close() {
    closed = true;
    // Before the shutdown: after it they would refuse to run.
    clock.getQueue().forEach(Runnable::run);
    clock.shutdownNow();
    threads.shutdown();
  }
}
