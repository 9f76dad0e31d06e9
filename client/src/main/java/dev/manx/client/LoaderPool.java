/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.timer.Daemons;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads that the blocking loaders of many backends share. Each backend has a lane, which occupies
 * a limited number of threads, so a hanging backend blocks only its own lane. Lanes take turns when
 * all threads are busy.
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

  /** Lanes with waiting loads. */
  private final Set<Lane> crowded = ConcurrentHashMap.newKeySet();

  private volatile boolean closed;

  /**
   * Creates a pool.
   *
   * @param threads a thread pool with an unbounded queue, or an executor that starts a thread for
   *     each task
   */
  LoaderPool(ExecutorService threads) {
    this.threads = threads;
  }

  /**
   * Creates a pool of at most {@code most} daemon threads, 1 to 10,000, which end when idle for ten
   * seconds, and have the context class loader of the calling thread. If the lanes together may
   * occupy more, loads wait for a thread as well as for their lane.
   */
  public static LoaderPool ofThreads(int most) {
    if (most < 1 || most > MOST_THREADS) {
      throw new IllegalArgumentException(most + " threads; allowed: 1 to 10000");
    }
    return ofThreads(most, "manx-loader");
  }

  /** Creates a pool with another thread name. */
  static LoaderPool ofThreads(int most, String name) {
    // The lanes bound this queue.
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            most,
            most,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Daemons.named(name),
            (load, ended) -> {
              throw closed();
            });
    pool.allowCoreThreadTimeOut(true);
    return new LoaderPool(pool);
  }

  /**
   * Uses a virtual thread for each load on Java 21 and later, with the context class loader of the
   * thread that calls this method; else as {@link #ofThreads}.
   */
  public static LoaderPool ofVirtualThreads(int mostElse) {
    return virtual().map(LoaderPool::new).orElseGet(() -> ofThreads(mostElse));
  }

  private static Optional<ExecutorService> virtual() {
    try {
      // Missing in Java 17, the compilation target.
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      Class<?> kind = Class.forName("java.lang.Thread$Builder");
      // The thread of a load may be started by the thread of another request's load.
      kind.getMethod("inheritInheritableThreadLocals", boolean.class).invoke(builder, false);
      ThreadFactory made = (ThreadFactory) kind.getMethod("factory").invoke(builder);
      ClassLoader context = Thread.currentThread().getContextClassLoader();
      ThreadFactory factory =
          load ->
              made.newThread(
                  () -> {
                    Thread.currentThread().setContextClassLoader(context);
                    load.run();
                  });
      return Optional.of(
          (ExecutorService)
              Executors.class
                  .getMethod("newThreadPerTaskExecutor", ThreadFactory.class)
                  .invoke(null, factory));
    } catch (ClassNotFoundException
        | NoSuchMethodException
        | IllegalAccessException
        | InvocationTargetException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns a loader with its own lane.
   *
   * @param atOnce maximum number of its concurrent loads, at least 1
   * @param waiting maximum number of waiting loads, at least 0; further queries fail
   */
  public <K, V> Loader<K, V> loader(int atOnce, int waiting, Loader.Blocking<K, V> loader) {
    if (atOnce < 1 || waiting < 0) {
      throw new IllegalArgumentException(
          atOnce + " at once, " + waiting + " waiting; allowed: at least 1 and 0");
    }
    return Loader.on(lane(atOnce, waiting), loader);
  }

  /** Creates a lane. Exceptions of its work reach the thread's handler of uncaught exceptions. */
  Executor lane(int atOnce, int waiting) {
    return new Lane(atOnce, waiting);
  }

  final class Lane implements Executor {
    private final int atOnce;
    private final int most;
    // Loads that have not begun, also those for which a thread was requested.
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    // Threads that take loads from the queue, including requested ones.
    private int taken;
    // The part of these threads that were requested and have not begun.
    private int requested;

    Lane(int atOnce, int most) {
      this.atOnce = atOnce;
      this.most = most;
    }

    /*
     * Submits under the lock: while a place is taken for work that is then rejected, other work
     * could be queued that no thread ever takes. A thread is not requested for a certain load, so a
     * load that leaves the queue makes room for a later one, even if no thread is free.
     */
    @Override
    public synchronized void execute(Runnable load) {
      boolean waits = taken == atOnce;
      if (waits && waiting.size() - requested >= most) {
        throw overfull(most);
      }
      if (waits) {
        crowded.add(this);
      }
      // Checked afterwards: close() may have missed this lane.
      if (closed) {
        throw closed();
      }
      if (!waits) {
        threads.execute(this::run);
        taken++;
        requested++;
      }
      waiting.add(load);
    }

    /** Removes a waiting load; it is usually one of the oldest, which are found at once. */
    synchronized void remove(Runnable load) {
      waiting.remove(load);
      leftQueue();
    }

    private void run() {
      Runnable load = first();
      while (load != null) {
        runOne(load);
        load = next();
      }
    }

    private synchronized Runnable first() {
      requested--;
      return take();
    }

    /** Returns the thread's next load; null: the thread is done here. */
    private synchronized Runnable next() {
      return !waiting.isEmpty() && takesTurns() && goesOnLater() ? null : take();
    }

    /** Guarded by this. */
    private Runnable take() {
      Runnable load = waiting.poll();
      if (load == null) {
        taken--;
      }
      leftQueue();
      return load;
    }

    private void leftQueue() {
      if (waiting.isEmpty()) {
        crowded.remove(this);
      }
    }

    /** An exception of the load must not occupy the lane's place for ever. */
    private void runOne(Runnable load) {
      try {
        if (closed && load instanceof QueuedLoad<?, ?> queued) {
          queued.refuse(closed());
        } else {
          load.run();
        }
      } catch (Throwable e) {
        Thread here = Thread.currentThread();
        here.getUncaughtExceptionHandler().uncaughtException(here, e);
      } finally {
        // An interrupt that the load has left must not fail the next load. Once the pool is closed,
        // the interrupt may come from close().
        if (!closed) {
          Thread.interrupted();
        }
      }
    }

    /* A lane that always has more work must not keep its threads for ever. */
    private boolean goesOnLater() {
      try {
        threads.execute(this::run);
        requested++;
        return true;
      } catch (RejectedExecutionException | OutOfMemoryError e) {
        // Closed, or no thread can be created; waiting loads run here.
        return false;
      }
    }

    /** Fails the waiting loads of a closed pool; running ones may ignore their interrupt. */
    private void refuseWaiting() {
      List<Runnable> refused;
      synchronized (this) {
        refused = List.copyOf(waiting);
        waiting.clear();
        crowded.remove(this);
      }
      refused.forEach(this::runOne);
    }
  }

  /** Rejects a load. */
  static RejectedExecutionException overfull(int most) {
    return new RejectedExecutionException(
        "the queue of this loader is full (" + most + " waiting)");
  }

  private static RejectedExecutionException closed() {
    return new RejectedExecutionException("the pool is closed");
  }

  /**
   * Whether the next load of a lane needs another thread: other lanes wait, or each load has its
   * own thread.
   */
  private boolean takesTurns() {
    return !(threads instanceof ThreadPoolExecutor pool) || !pool.getQueue().isEmpty();
  }

  /** Closes the pool; later loads fail, running and waiting ones complete. */
  void endWhenDone() {
    threads.shutdown();
  }

  /** Interrupts the pool's threads; waiting and later loads fail. */
  @Override
  public void close() {
    closed = true;
    // The loads for which no thread was free.
    threads.shutdownNow().forEach(Runnable::run);
    crowded.forEach(Lane::refuseWaiting);
  }
}
