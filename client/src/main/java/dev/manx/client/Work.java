/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Does things later: one daemon thread that watches the time and hands the work itself, which may
 * run code of the application, to an executor.
 */
final class Work implements Timer, AutoCloseable {
  private final ScheduledThreadPoolExecutor timer;
  private final Executor executor;
  private volatile boolean closed;

  Work(Executor executor) {
    this.executor = executor;
    timer = new ScheduledThreadPoolExecutor(1, Daemons.named("manx-timer"));
    // Nearly every time-out is cancelled; without this they would pile up until they are due.
    timer.setRemoveOnCancelPolicy(true);
  }

  @Override
  public Future<?> after(long nanos, Runnable task) {
    Future<?> later = timer.schedule(() -> run(task), nanos, TimeUnit.NANOSECONDS);
    if (closed) {
      run(task);
    }
    return later;
  }

  private void run(Runnable task) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException e) {
      // Late is worse than on the wrong thread: somebody waits for this time-out.
      task.run();
    }
  }

  /** Runs everything that waits now, so that nobody waits for it for ever, and ends the thread. */
  @Override
  public void close() {
    closed = true;
    // Before the shutdown: after it they would refuse to run.
    timer.getQueue().forEach(Runnable::run);
    timer.shutdownNow();
  }
}
