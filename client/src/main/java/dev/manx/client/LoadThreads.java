/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.timer.Daemons;
import dev.manx.client.timer.Timer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of one cache on which loaders may block: {@value #AT_ONCE}, plus one for each thread
 * that is stuck in a call, up to {@value #MOST} in total. Thread-safe.
 */
final class LoadThreads implements Executor, AutoCloseable {
  /** Number of threads that work at once, not counting stuck ones. */
  static final int AT_ONCE = 32;

  /**
   * Maximum number of threads. A waiting thread costs at most some 100 KB, most of it never
   * touched.
   */
  static final int MOST = 256;

  private static final long IDLE_SECONDS = 10;

  /** A task that has occupied a thread for too long. */
  interface Stuck {
    /** Interrupts its loader; false if it is not in a loader or was already interrupted. */
    boolean interruptOnce();
  }

  private final ThreadPoolExecutor threads;
  // Guarded by this; tasks of all lanes, longest stuck first.
  private final Set<Stuck> stuck = new LinkedHashSet<>();

  LoadThreads() {
    // The lanes bound this queue.
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
   * One backend's part of the threads.
   *
   * @param timer of waits of the application
   * @param guard runs no application code except hashCode and equals of keys
   */
  LoadLane lane(long timeOutNanos, Timer timer, Timer guard) {
    return new LoadLane(this, timeOutNanos, timer, guard);
  }

  /** Rejects work once it is closed. */
  @Override
  public void execute(Runnable work) {
    threads.execute(work);
  }

  /** Reports a stuck task; another thread replaces its thread if the maximum permits. */
  synchronized void stuck(Stuck work) {
    stuck.add(work);
    int size = size();
    threads.setMaximumPoolSize(size);
    threads.setCorePoolSize(size);
  }

  /** Reports that a stuck task has ended. */
  synchronized void free(Stuck work) {
    stuck.remove(work);
    int size = size();
    threads.setCorePoolSize(size);
    threads.setMaximumPoolSize(size);
  }

  private int size() {
    return Math.min(MOST, AT_ONCE + stuck.size());
  }

  /**
   * Reports that a task of some lane found no thread in time. If stuck tasks occupy threads that
   * cannot be replaced, interrupts the oldest loader: if each of many lanes has only a few stuck
   * tasks, no lane would do so.
   */
  void givenUp() {
    List<Stuck> all;
    synchronized (this) {
      if (AT_ONCE + stuck.size() <= MOST) {
        return;
      }
      all = List.copyOf(stuck);
    }
    interruptFirst(all);
  }

  /**
   * Interrupts the first loader that was not yet interrupted: one loader may ignore an interrupt,
   * another not.
   *
   * @return whether a loader was interrupted
   */
  static boolean interruptFirst(List<? extends Stuck> oldestFirst) {
    return oldestFirst.stream().anyMatch(Stuck::interruptOnce);
  }

  /** Present number of threads. */
  int count() {
    return threads.getPoolSize();
  }

  /** Closes the pool; idle threads end. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
