/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Reads keys from a backend, for those that the cache does not have. Any thread may call it.
 *
 * <p>What it throws, an exceptional completion and a null map are failures of the queries that wait
 * for it. Keys that the map lacks, or has null for, do not exist; keys that were not asked for are
 * ignored.
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
   * Runs a blocking loader on an executor of the application. Its queue should be bounded: what it
   * refuses is a failed query, what it takes and never runs is one that times out. A load that has
   * timed out while it waited there is not begun.
   */
  static <K, V> Loader<K, V> on(Executor executor, Blocking<K, V> loader) {
    return keys -> {
      QueuedLoad<K, V> load = new QueuedLoad<>(loader, keys);
      executor.execute(load);
      return load;
    };
  }

  /**
   * Runs a blocking loader on daemon threads of its own, which end when idle for ten seconds.
   *
   * @param threads how many loads run at once, at least 1
   * @param waiting how many wait for a thread at most, at least 1; more are failed queries
   */
  static <K, V> Loader<K, V> onThreads(int threads, int waiting, Blocking<K, V> loader) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(waiting),
            Daemons.named("manx-loader"));
    pool.allowCoreThreadTimeOut(true);
    return on(pool, loader);
  }
}
