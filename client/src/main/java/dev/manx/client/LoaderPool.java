/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads that the blocking loaders of many backends share. Each backend has a lane of its own,
 * which holds at most so many of them at once: a backend that hangs keeps its lane and nothing
 * else. Lanes take turns when all threads are busy.
 *
 * <pre>{@code
 * LoaderPool pool = LoaderPool.ofThreads(64);
 * cache.add(BackendSpec.of("songs", sizer, pool.loader(8, 1_000, this::readSongs)));
 * }</pre>
 */
public final class LoaderPool implements AutoCloseable {
  private static final int MOST_THREADS = 10_000;
  private static final long IDLE_SECONDS = 10;

  private final ExecutorService threads;

  private LoaderPool(ExecutorService threads) {
    this.threads = threads;
  }

  /**
   * At most so many daemon threads, 1 to 10,000, which end when idle for ten seconds. If all lanes
   * together may hold more, loads wait for a thread as well as for their lane.
   */
  public static LoaderPool ofThreads(int most) {
    if (most < 1 || most > MOST_THREADS) {
      throw new IllegalArgumentException(most + " threads; allowed: 1 to 10000");
    }
    return ofThreads(most, "manx-loader");
  }

  /** The same with threads of another name. */
  static LoaderPool ofThreads(int most, String name) {
    // Lanes bound what waits here.
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            most,
            most,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Daemons.named(name));
    pool.allowCoreThreadTimeOut(true);
    return new LoaderPool(pool);
  }

  /** A virtual thread for each load on Java 21 and later; else as {@link #ofThreads}. */
  public static LoaderPool ofVirtualThreads(int mostElse) {
    return virtual().map(LoaderPool::new).orElseGet(() -> ofThreads(mostElse));
  }

  private static Optional<ExecutorService> virtual() {
    try {
      // Not in Java 17, which this is compiled for.
      return Optional.of(
          (ExecutorService)
              Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null));
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
      return Optional.empty();
    }
  }

  /**
   * A loader with a lane of its own.
   *
   * @param atOnce how many of its loads run at once, at least 1
   * @param waiting how many wait at most, at least 0; more are failed queries
   */
  public <K, V> Loader<K, V> loader(int atOnce, int waiting, Loader.Blocking<K, V> loader) {
    if (atOnce < 1 || waiting < 0) {
      throw new IllegalArgumentException(
          atOnce + " at once, " + waiting + " waiting; allowed: at least 1 and 0");
    }
    return Loader.on(lane(atOnce, waiting), loader);
  }

  /** A lane. What its work throws goes to the thread's handler of uncaught exceptions. */
  Executor lane(int atOnce, int waiting) {
    return new Lane(atOnce, waiting);
  }

  private final class Lane implements Executor {
    private final int atOnce;
    private final int most;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int running;

    Lane(int atOnce, int most) {
      this.atOnce = atOnce;
      this.most = most;
    }

    @Override
    public void execute(Runnable load) {
      synchronized (this) {
        if (running == atOnce) {
          if (waiting.size() == most) {
            throw new RejectedExecutionException(most + " loads wait already");
          }
          waiting.add(load);
          return;
        }
        running++;
      }
      submit(load);
    }

    private void submit(Runnable load) {
      boolean accepted = false;
      try {
        threads.execute(() -> run(load));
        accepted = true;
      } finally {
        if (!accepted) {
          synchronized (this) {
            running--;
          }
        }
      }
    }

    private void run(Runnable first) {
      Runnable load = first;
      while (load != null) {
        runOne(load);
        load = next();
        if (load != null && othersWait() && goesOnLater(load)) {
          return;
        }
      }
    }

    /** What it throws must not keep the lane's place for ever. */
    private void runOne(Runnable load) {
      try {
        load.run();
      } catch (Throwable e) {
        Thread here = Thread.currentThread();
        here.getUncaughtExceptionHandler().uncaughtException(here, e);
      }
    }

    /* A lane that always has more to do must not keep its threads for ever. */
    private boolean goesOnLater(Runnable load) {
      try {
        threads.execute(() -> run(load));
        return true;
      } catch (RejectedExecutionException | OutOfMemoryError e) {
        // Closed, or no thread can be made; what waits is done here.
        return false;
      }
    }

    private synchronized Runnable next() {
      Runnable load = waiting.poll();
      if (load == null) {
        running--;
      }
      return load;
    }
  }

  /** Whether other lanes wait for a thread; on virtual threads none does. */
  private boolean othersWait() {
    return threads instanceof ThreadPoolExecutor pool && !pool.getQueue().isEmpty();
  }

  /** Later loads fail; those that run or wait are done. */
  void endWhenDone() {
    threads.shutdown();
  }

  /** Interrupts its threads; later loads fail. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
