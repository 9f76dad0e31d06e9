/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.timer.Alarm;
import dev.manx.client.timer.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;

/** Lanes for a test, and tasks that hang in them until the test ends. */
abstract class LoadLanes {
  static final long TIME_OUT = 1_000;

  final HandTimer timer = new HandTimer();
  final HandTimer guard = new HandTimer();
  final LoadThreads threads = new LoadThreads();
  final LoadLane lane = threads.lane(TIME_OUT, timer, guard);
  final CountDownLatch release = new CountDownLatch(1);
  final BlockingQueue<String> begun = new LinkedBlockingQueue<>();
  final BlockingQueue<String> givenUp = new LinkedBlockingQueue<>();
  final BlockingQueue<String> interrupted = new LinkedBlockingQueue<>();

  /** A timer whose tasks the test triggers. */
  static final class HandTimer implements Timer {
    private final Set<Runnable> tasks = ConcurrentHashMap.newKeySet();
    volatile boolean closed;

    @Override
    public Alarm after(long nanos, Runnable task) {
      if (closed) {
        throw new RejectedExecutionException("closed");
      }
      tasks.add(task);
      return () -> tasks.remove(task);
    }

    void passes() {
      List<Runnable> due = new ArrayList<>(tasks);
      due.forEach(tasks::remove);
      due.forEach(Runnable::run);
    }
  }

  @AfterEach
  void close() {
    release.countDown();
    threads.close();
  }

  void load(LoadLane to, String name) {
    to.execute(() -> hang(name), () -> givenUp.add(name));
  }

  void hang(String name) {
    try {
      LoadLane.call(
          () -> {
            begun.add(name);
            release.await();
            return null;
          });
    } catch (InterruptedException e) {
      interrupted.add(name);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Hangs outside of loaders, as a codec may. */
  void codec(String name) {
    begun.add(name);
    try {
      release.await();
    } catch (InterruptedException e) {
      interrupted.add(name);
    }
  }

  /** Hangs in a loader that ignores interrupts. */
  void ignore(String name) {
    try {
      LoadLane.call(
          () -> {
            begun.add(name);
            while (release.getCount() > 0) {
              waitOn(name);
            }
            return null;
          });
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  void waitOn(String name) {
    try {
      release.await();
    } catch (InterruptedException e) {
      interrupted.add(name);
    }
  }

  static String next(BlockingQueue<String> of) throws InterruptedException {
    return of.poll(20, TimeUnit.SECONDS);
  }

  void begin(LoadLane in, int count) throws InterruptedException {
    for (int i = 0; i < count; i++) {
      load(in, "load");
      assertThat(next(begun)).isNotNull();
    }
  }

  /** Fills all places of a lane with hanging tasks. */
  void hangAll(LoadLane in) throws InterruptedException {
    for (int stuck = 0; stuck < LoadLane.MOST_STUCK; stuck += LoadLane.AT_ONCE) {
      begin(in, LoadLane.AT_ONCE);
      guard.passes();
    }
    begin(in, LoadLane.AT_ONCE);
  }
}
