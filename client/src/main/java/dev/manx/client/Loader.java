/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.timer.Daemons;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Reads keys from a backend that are not cached. Thread-safe.
 *
 * <p>An exception, an exceptional completion and a null map fail the queries that wait for the
 * load. With a {@link FailedKeysException}, only the keys that it names fail. Keys that are missing
 * from the map or mapped to null do not exist; keys that were not requested are ignored.
 */
@FunctionalInterface
public interface Loader<K, V> {
  /**
   * Reads keys without blocking the caller.
   *
   * @param keys at least one, each once; unmodifiable
   */
  CompletionStage<? extends Map<K, V>> loadAll(List<K> keys);

  /** A loader that blocks while it reads. */
  @FunctionalInterface
  interface Blocking<K, V> {
    /** Reads keys; the calling thread waits. */
    Map<K, V> loadAll(List<K> keys) throws Exception;
  }

  /**
   * Runs a blocking loader on an executor of the application. Its queue should be bounded. If the
   * executor rejects a load, the query fails; if it never runs the load, the query times out. A
   * load that has timed out in the queue is not begun. It leaves the queue of a {@link
   * ThreadPoolExecutor} that queues tasks as they are (not a scheduled or decorating one); in the
   * queue of another executor it keeps its place until its turn.
   */
  static <K, V> Loader<K, V> on(Executor executor, Blocking<K, V> loader) {
    return keys -> {
      QueuedLoad<K, V> load = new QueuedLoad<>(loader, keys, executor);
      executor.execute(load);
      return load;
    };
  }

  /**
   * Runs a blocking loader on separate daemon threads, which end when idle for ten seconds. They
   * have the context class loader of the thread that calls this method.
   *
   * @param threads maximum number of concurrent loads, at least 1
   * @param waiting maximum number of waiting loads, at least 1; further queries fail
   */
  static <K, V> Loader<K, V> onThreads(int threads, int waiting, Blocking<K, V> loader) {
    if (threads < 1 || waiting < 1) {
      throw new IllegalArgumentException(
          threads + " threads, " + waiting + " waiting; allowed: at least 1 and 1");
    }
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(waiting),
            Daemons.named("manx-loader"),
            (load, full) -> {
              throw LoaderPool.overfull(waiting);
            });
    pool.allowCoreThreadTimeOut(true);
    return on(pool, loader);
  }
}
