/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.timer.Timer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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

  /** Work that has kept a thread for too long. */
  interface Stuck {
    /** Interrupts its loader; false if it is in none, or that was interrupted already. */
    boolean interruptOnce();
  }

  private final ThreadPoolExecutor threads;
  // Guarded by this; of all lanes, that which is stuck for longest first.
  private final Set<Stuck> stuck = new LinkedHashSet<>();

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
   * @param guard which runs no code of the application but keys' hashCode and equals
   */
  LoadLane lane(long timeOutNanos, Timer timer, Timer guard) {
    return new LoadLane(this, timeOutNanos, timer, guard);
  }

  /** Refuses work once it is closed. */
  @Override
  public void execute(Runnable work) {
    threads.execute(work);
  }

  /** Work is stuck; another thread takes the place of its own if there may be one more. */
  synchronized void stuck(Stuck work) {
    stuck.add(work);
    int size = size();
    threads.setMaximumPoolSize(size);
    threads.setCorePoolSize(size);
  }

  /** Work that was stuck has ended. */
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
   * Work of some lane found no thread in time. If stuck work holds threads that no other can take
   * the place of, its oldest loader is interrupted: few are stuck in each of many lanes, so none of
   * these would do it.
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
   * Interrupts the first loader that was not interrupted yet: one may ignore that, and others not.
   *
   * @return whether there was one
   */
  static boolean interruptFirst(List<? extends Stuck> oldestFirst) {
    return oldestFirst.stream().anyMatch(Stuck::interruptOnce);
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
