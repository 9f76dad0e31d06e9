/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * One backend's share of the cache, resized while it serves.
 *
 * <p>Promises of every store, checked by its contract suite:
 *
 * <ul>
 *   <li>A store never harms a request: {@link #getAll} and {@link #putAll} never throw and never
 *       complete exceptionally; what fails or takes too long is a miss, or a value not kept, and
 *       counts in {@link #failures}.
 *   <li>Every stage completes within a bounded time, also when the store hangs; work that waits is
 *       bounded too, and what exceeds the bound is given up like a failure.
 *   <li>A value found is the value last put for this key, or an older one only if the put was given
 *       up. Nothing is promised to be kept: any entry may be evicted at any time.
 * </ul>
 *
 * <p>Any thread may call every method; none blocks. Stages may complete on the calling thread or on
 * a thread of the store: callers do no long work there. Keys and values are never null.
 */
public interface Store<K, V> extends AutoCloseable {
  /** The values that are here, by key; keys not found are left out. The map may be unmodifiable. */
  CompletionStage<Map<K, V>> getAll(Collection<? extends K> keys);

  /**
   * The same, of a store that runs a codec for what a server has answered: a network thread, which
   * serves other stores too, does not run it.
   *
   * @param codecs runs the codec and completes the stage if values were found; what it refuses is a
   *     miss
   */
  default CompletionStage<Map<K, V>> getAll(Collection<? extends K> keys, Executor codecs) {
    return getAll(keys);
  }

  /** Keeps values; completes when they are kept or given up. */
  CompletionStage<Void> putAll(Map<? extends K, ? extends V> entries);

  /**
   * Keeps values that expire, so that a store may free their space when they have; the others need
   * not do anything with it.
   *
   * @param expiry from now on, positive
   */
  default CompletionStage<Void> putAll(Map<? extends K, ? extends V> entries, Duration expiry) {
    return putAll(entries);
  }

  /** Forgets all keys, with the same promise as {@link #invalidateAll}. */
  default CompletionStage<Void> clear() {
    return CompletableFuture.failedFuture(
        new StoreException("this kind of store cannot be cleared"));
  }

  /**
   * Forgets keys: once it completes, no look-up that begins later finds what was put before. A
   * store that is out of reach keeps that in mind until it can. Completes exceptionally if the
   * store cannot promise it: the one failure of a store that an application has to know of.
   */
  CompletionStage<Void> invalidateAll(Collection<? extends K> keys);

  /**
   * Forgets keys whose old values may be found until they expire if need be: keys that the backend
   * no longer has, values that are not to be kept. A remote store does it when it has time to, and
   * bounds what waits for that. Never fails.
   */
  default void drop(Collection<? extends K> keys) {
    CompletionStage<Void> unused = invalidateAll(keys);
  }

  /**
   * Changes the share; only one resize is under way at a time.
   *
   * @param bytes the share to reach, at least {@link #minimumBytes}
   * @return completes with the bytes allocated then: when shrinking, as soon as the space is really
   *     free for others. It may differ from what was asked for when the store did only a part (the
   *     caller asks again later), and fails if the store could not be asked or is closed. A store
   *     that is out of reach takes the size asked for last before it serves again
   */
  CompletionStage<Long> resize(long bytes);

  /** Bytes that the store may use now, as last confirmed. */
  long allocatedBytes();

  /** Bytes that entries occupy, overhead included, as last known; an estimate. */
  long usedBytes();

  /** Bytes that an entry takes beside what its sizer says; an estimate. */
  default long overheadBytes() {
    return 0;
  }

  /** The smallest share that this store can have. */
  default long minimumBytes() {
    return 0;
  }

  /** Its share is a multiple of this, at least 1; resizing to another size rounds down. */
  default long pageBytes() {
    return 1;
  }

  /** Whether the store is out of reach at present, so that everything misses. */
  default boolean isDegraded() {
    return false;
  }

  /** Operations that failed or were given up since the store was opened; only grows. */
  default long failures() {
    return 0;
  }

  /** Frees everything; later calls find nothing, keep nothing and fail to resize. Idempotent. */
  @Override
  void close();
}
