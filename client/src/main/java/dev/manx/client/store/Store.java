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
 * <p>Guarantees of every store, checked by its contract suite:
 *
 * <ul>
 *   <li>A store never harms a request: {@link #getAll} and {@link #putAll} never throw and never
 *       complete exceptionally. A failed or slow operation is a miss, or a value not stored, and
 *       counts in {@link #failures}.
 *   <li>Every stage completes within a bounded time, even if the store hangs. Queued work is
 *       bounded too; work beyond the bound counts as failed.
 *   <li>A returned value is the value last put for this key, or an older one only if the put was
 *       given up. No entry is guaranteed to stay: it may be evicted at any time.
 * </ul>
 *
 * <p>Thread-safe; no method blocks. Stages may complete on the calling thread or on a thread of the
 * store: callers do no long work there. Keys and values are never null.
 */
public interface Store<K, V> extends AutoCloseable {
  /** The stored values by key; missing keys are omitted. The map may be unmodifiable. */
  CompletionStage<Map<K, V>> getAll(Collection<? extends K> keys);

  /**
   * Like {@link #getAll(Collection)}, for a store that decodes a server's responses: the codec does
   * not run on a network thread, which serves other stores too.
   *
   * @param codecs runs the codec and completes the stage if values were found; rejected work is a
   *     miss
   */
  default CompletionStage<Map<K, V>> getAll(Collection<? extends K> keys, Executor codecs) {
    return getAll(keys);
  }

  /** Stores values; completes when they are stored or given up. */
  CompletionStage<Void> putAll(Map<? extends K, ? extends V> entries);

  /**
   * Stores values that expire, so that a store may then free their space; other stores may ignore
   * the expiry.
   *
   * @param expiry from now, positive
   */
  default CompletionStage<Void> putAll(Map<? extends K, ? extends V> entries, Duration expiry) {
    return putAll(entries);
  }

  /**
   * Removes all keys, with the same guarantee as {@link #invalidateAll}. Also called when
   * invalidations of other servers may have been missed.
   */
  CompletionStage<Void> clear();

  /**
   * Removes keys: after completion, no later look-up finds an earlier value. An unreachable store
   * remembers the keys until it can remove them. Completes exceptionally if the store cannot
   * guarantee this: the only failure of a store that an application must handle.
   */
  CompletionStage<Void> invalidateAll(Collection<? extends K> keys);

  /**
   * Removes keys whose old values may be found until they expire: keys that the backend no longer
   * has, or values that must not be stored. A remote store does this in the background, with a
   * bounded queue. Never fails.
   */
  default void drop(Collection<? extends K> keys) {
    CompletionStage<Void> unused = invalidateAll(keys);
  }

  /**
   * Changes the share; only one resize may be in progress.
   *
   * @param bytes the requested share, at least {@link #minimumBytes}
   * @return completes with the bytes then allocated: when shrinking, as soon as the space is really
   *     free for others. The result may differ from the request if the store did only a part (the
   *     caller repeats the request later). Fails if the store could not be contacted or is closed.
   *     An unreachable store applies the last request before it serves again
   */
  CompletionStage<Long> resize(long bytes);

  /** Bytes that the store may use now, as last confirmed. */
  long allocatedBytes();

  /** Bytes that entries occupy, overhead included, as last known; an estimate. */
  long usedBytes();

  /** Bytes of an entry in addition to its sizer's result; an estimate. */
  default long overheadBytes() {
    return 0;
  }

  /** The smallest share that this store can have. */
  default long minimumBytes() {
    return 0;
  }

  /** Unit of the store's share, at least 1; resizing rounds down to a multiple of it. */
  default long pageBytes() {
    return 1;
  }

  /** Whether the store is unreachable at present, so that every look-up is a miss. */
  default boolean isDegraded() {
    return false;
  }

  /** Operations that failed or were given up since the store was opened; never decreases. */
  default long failures() {
    return 0;
  }

  /**
   * How often a remote store has dropped all its entries by itself, since an invalidated value
   * might otherwise be found: its server came back as another run, or too many invalidations or
   * puts were not confirmed. Never decreases.
   */
  default long emptied() {
    return 0;
  }

  /**
   * Number of values, since the store was opened, that were not stored because each is larger than
   * the store accepts at its present size; never decreases. A remote store accepts at most half of
   * its share, and no more than its server does.
   */
  default long tooLarge() {
    return 0;
  }

  /**
   * Number of values for which the share had no room, as far as known: entries that were evicted,
   * and values that were rejected but that a larger share would accept. A share counts as full
   * while this number grows, however few bytes are in use: entries that are large for a share never
   * fill it.
   */
  default long withoutRoom() {
    return tooLarge();
  }

  /**
   * Frees all resources; later look-ups are misses, puts are ignored, and resizes fail. Idempotent.
   */
  @Override
  void close();

  /**
   * Completes, never exceptionally, when a closed store has left its server to a successor, or
   * after some of its time-outs if the server does not answer. A process that ends earlier makes
   * the successor wait.
   */
  default CompletionStage<Void> left() {
    return CompletableFuture.completedFuture(null);
  }
}
