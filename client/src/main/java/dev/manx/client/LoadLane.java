/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.timer.Alarm;
import dev.manx.client.timer.Timer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * One backend's part of the threads on which loaders may block. At most {@value #AT_ONCE} of its
 * tasks run at once. A task that runs longer than the backend's time-out is stuck: it keeps its
 * thread and gives its place to the next task, unless {@value #MOST_STUCK} are already stuck. A
 * task that waits longer than the time-out is dropped. Thread-safe.
 */
final class LoadLane implements Executor {
  static final int AT_ONCE = 4;
  static final int MOST_STUCK = 16;

  private static final ThreadLocal<LoadLane.Work> HERE = new ThreadLocal<>();

  private enum State {
    WAITS,
    GIVEN_UP,
    RUNS,
    STUCK,
    ENDED
  }

  private final LoadThreads threads;
  private final long timeOutNanos;
  private final Timer timer;
  private final Timer guard;

  // Guarded by this.
  private final Deque<Work> waiting = new ArrayDeque<>();
  private final Set<Work> running = new LinkedHashSet<>();
  // Occupied places, including those of stuck tasks.
  private int taken;
  private int stuck;
  private long givenUp;
  private boolean closed;

  LoadLane(LoadThreads threads, long timeOutNanos, Timer timer, Timer guard) {
    this.threads = threads;
    this.timeOutNanos = timeOutNanos;
    this.timer = timer;
    this.guard = guard;
  }

  /** Runs a task, or drops it if it waits too long; for tasks whose load has its own time-out. */
  @Override
  public void execute(Runnable task) {
    execute(task, () -> {});
  }

  /**
   * Runs a task, or reports that it was dropped.
   *
   * @param givenUp runs in its place, on a thread that delivers time-outs, or at once if the cache
   *     is closed
   */
  void execute(Runnable task, Runnable givenUp) {
    Work work = new Work(task, givenUp);
    try {
      // Armed first: otherwise the task would wait for ever if no thread becomes free.
      work.alarm = timer.after(timeOutNanos, work::giveUp);
    } catch (RejectedExecutionException e) {
      givenUp.run();
      return;
    }
    boolean begins;
    synchronized (this) {
      begins = hasPlace();
      if (begins) {
        taken++;
      } else {
        waiting.add(work);
      }
    }
    if (begins) {
      submit(work);
    }
  }

  private boolean hasPlace() {
    return taken - Math.min(stuck, MOST_STUCK) < AT_ONCE;
  }

  private void submit(Work work) {
    try {
      threads.execute(work);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // Closed, or no thread can be created.
      leave();
      work.giveUp();
    }
  }

  private synchronized void leave() {
    taken--;
  }

  private void beginNext() {
    for (Work next = takeNext(); next != null; next = takeNext()) {
      submit(next);
    }
  }

  private synchronized Work takeNext() {
    Work next = hasPlace() ? waiting.poll() : null;
    taken += next == null ? 0 : 1;
    return next;
  }

  /** Number of tasks that are stuck now. */
  synchronized int stuck() {
    return stuck;
  }

  /** Number of tasks dropped because no thread was free in time. */
  synchronized long givenUp() {
    return givenUp;
  }

  /** Interrupts stuck loaders, now and later: their queries have ended. */
  void close() {
    List<Work> all;
    synchronized (this) {
      closed = true;
      all = stuckWork();
    }
    all.forEach(Work::interrupt);
  }

  /** The stuck tasks, oldest first. Guarded by this. */
  private List<Work> stuckWork() {
    return running.stream().filter(work -> work.state == State.STUCK).toList();
  }

  /**
   * Calls a loader so that its thread, if it belongs to a lane, can be interrupted.
   *
   * @throws Exception if the loader throws
   */
  static <T> T call(Callable<T> loader) throws Exception {
    Work here = HERE.get();
    return here == null ? loader.call() : here.call(loader);
  }

  /** A task. */
  private final class Work implements Runnable, LoadThreads.Stuck {
    private final Runnable task;
    private final Runnable instead;
    private volatile Alarm alarm;
    // Guarded by the lane.
    private State state = State.WAITS;
    // Guarded by this: the thread while a loader runs on it, else null; whether the loader was
    // interrupted.
    private Thread loading;
    private boolean interrupted;

    Work(Runnable task, Runnable instead) {
      this.task = task;
      this.instead = instead;
    }

    /** Drops the task, which has waited too long. */
    private void giveUp() {
      List<Work> mine = List.of();
      synchronized (LoadLane.this) {
        if (state != State.WAITS) {
          return;
        }
        state = State.GIVEN_UP;
        waiting.remove(this);
        givenUp++;
        if (stuck > MOST_STUCK) {
          mine = stuckWork();
        }
      }
      // Many clients abort an interrupted call. Otherwise all places could be lost for ever.
      if (!LoadThreads.interruptFirst(mine)) {
        threads.givenUp();
      }
      instead.run();
    }

    @Override
    public void run() {
      try {
        if (begins()) {
          runHere();
        }
      } finally {
        leave();
        beginNext();
      }
    }

    private boolean begins() {
      alarm.cancel();
      synchronized (LoadLane.this) {
        if (state != State.WAITS) {
          return false;
        }
        state = State.RUNS;
        running.add(this);
        return true;
      }
    }

    private void runHere() {
      try {
        alarm = guard.after(timeOutNanos, this::isStuck);
      } catch (RejectedExecutionException e) {
        // The cache is closed.
      }
      HERE.set(this);
      try {
        task.run();
      } finally {
        HERE.remove();
        alarm.cancel();
        ended();
      }
    }

    private void ended() {
      boolean wasStuck;
      synchronized (LoadLane.this) {
        wasStuck = state == State.STUCK;
        state = State.ENDED;
        running.remove(this);
        stuck -= wasStuck ? 1 : 0;
      }
      if (wasStuck) {
        threads.free(this);
      }
    }

    private void isStuck() {
      boolean noneWaits;
      synchronized (LoadLane.this) {
        if (state != State.RUNS) {
          return;
        }
        state = State.STUCK;
        stuck++;
        noneWaits = closed;
        // Within the lock: ended() must come afterwards.
        threads.stuck(this);
      }
      if (noneWaits) {
        interrupt();
      }
      beginNext();
    }

    private <T> T call(Callable<T> loader) throws Exception {
      Thread before;
      synchronized (this) {
        before = loading;
        loading = Thread.currentThread();
      }
      try {
        return loader.call();
      } finally {
        synchronized (this) {
          // A loader may query another backend, whose loader is then called within the first
          // call.
          loading = before;
          if (before == null && interrupted) {
            // The interrupt must not affect later code on this thread.
            interrupted = false;
            Thread.interrupted();
          }
        }
      }
    }

    @Override
    public synchronized boolean interruptOnce() {
      return !interrupted && interrupt();
    }

    private synchronized boolean interrupt() {
      interrupted |= loading != null;
      if (loading != null) {
        loading.interrupt();
      }
      return loading != null;
    }
  }
}
