/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.timer.Timer;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of one cache on which loaders may block: {@value #AT_ONCE}, and one more for each
 * that is stuck in a call, up to {@value #MOST} together. Any thread may call it.
 */
final class LoadThreads implements Executor, AutoCloseable {
  /** How many work at once, apart from those that are stuck. */
  static final int AT_ONCE = 32;

  /** The ceiling. A thread that waits costs some 100 KB at most, most of it never touched. */
  static final int MOST = 256;

  private static final long IDLE_SECONDS = 10;

  private final ThreadPoolExecutor threads;
  // Guarded by this.
  private int stuck;

  LoadThreads() {
    // Lanes bound what waits here.
    threads =
        new ThreadPoolExecutor(
            AT_ONCE,
            AT_ONCE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Daemons.named("manx-load"));
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * One backend's part of them.
   *
   * @param timer of what the application waits for
   * @param guard which runs no code of the application
   */
  LoadLane lane(long timeOutNanos, Timer timer, Timer guard) {
    return new LoadLane(this, timeOutNanos, timer, guard);
  }

  /** Refuses work once it is closed. */
  @Override
  public void execute(Runnable work) {
    threads.execute(work);
  }

  /** A thread is stuck, which another takes the place of if there may be one more. */
  synchronized void stuck() {
    stuck++;
    int size = size();
    threads.setMaximumPoolSize(size);
    threads.setCorePoolSize(size);
  }

  /** One that was stuck is so no more. */
  synchronized void free() {
    stuck--;
    int size = size();
    threads.setCorePoolSize(size);
    threads.setMaximumPoolSize(size);
  }

  private int size() {
    return Math.min(MOST, AT_ONCE + stuck);
  }

  /** How many there are now. */
  int count() {
    return threads.getPoolSize();
  }

  /** They end when nothing waits for them. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
