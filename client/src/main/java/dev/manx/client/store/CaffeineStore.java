/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy.Eviction;
import com.github.benmanes.caffeine.cache.RemovalCause;
import com.github.benmanes.caffeine.cache.RemovalListener;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;

/**
 * A share in Caffeine, weighed in bytes: the default store.
 *
 * <p>It evicts by W-TinyLFU, not by LRU, which gives more hits; an object of more than about two
 * thirds of a full share is not kept. Resizing evicts on the calling thread (0.1-0.4 ms for a step
 * of 1 % at 2-4 GB) and is complete when it returns.
 */
public final class CaffeineStore<K, V> implements LocalStore<K, V> {
  /*
   * Caffeine's node (40 bytes, 48 with a time to live), the hash map's node (32) and slot (up to 8),
   * and the frequency sketch (8), with compressed references; larger heaps pay about half as much
   * again.
   */
  static final int ENTRY_OVERHEAD_BYTES = 96;

  private final Cache<K, V> cache;
  private final Eviction<K, V> eviction;
  private final LongAdder tooLarge = new LongAdder();
  private final LongAdder evicted = new LongAdder();
  // A copy of Caffeine's maximum, because reading that takes the lock of its evictions.
  private volatile long limitBytes;
  private volatile boolean closed;

  private CaffeineStore(StoreSpec<K, V> spec, Duration timeToLive) {
    Sizer<K, V> sizer = spec.sizer();
    Caffeine<Object, Object> builder = Caffeine.newBuilder();
    if (!timeToLive.isZero()) {
      builder.expireAfterWrite(timeToLive);
    }
    limitBytes = spec.bytes();
    Caffeine<K, V> typed = builder.weigher((K key, V value) -> weighed(sizer, key, value));
    typed.evictionListener(reporting(spec.evictions(), sizer));
    // On the caller's thread: with the common pool, a burst of puts exceeds the share by a tenth.
    cache = typed.executor(Runnable::run).maximumWeight(spec.bytes()).build();
    eviction = cache.policy().eviction().orElseThrow();
  }

  private RemovalListener<K, V> reporting(
      Optional<EvictionListener<K>> listener, Sizer<K, V> sizer) {
    return (key, value, cause) -> {
      if (cause == RemovalCause.SIZE && key != null && value != null) {
        evicted.increment();
        if (listener.isPresent()) {
          listener.get().evicted(key, weight(sizer, key, value));
        }
      }
    };
  }

  /** Opens stores whose entries live until they are evicted. */
  public static StoreFactory factory() {
    return factory(Duration.ZERO);
  }

  /** Opens stores whose entries live at most this long after their last put; zero: for ever. */
  public static StoreFactory factory(Duration timeToLive) {
    if (timeToLive.isNegative()) {
      throw new IllegalArgumentException("time to live " + timeToLive);
    }
    return new StoreFactory() {
      @Override
      public <K, V> Store<K, V> open(StoreSpec<K, V> spec) {
        return new CaffeineStore<>(spec, timeToLive);
      }

      @Override
      public boolean reportsEvictions() {
        return true;
      }

      @Override
      public Duration timeToLive() {
        return timeToLive;
      }
    };
  }

  private static <K, V> int weight(Sizer<K, V> sizer, K key, V value) {
    return (int) Math.min(Integer.MAX_VALUE, sizer.bytes(key, value, ENTRY_OVERHEAD_BYTES));
  }

  /** The weight of an entry that is put; Caffeine drops one above the limit at once. */
  private int weighed(Sizer<K, V> sizer, K key, V value) {
    int weight = weight(sizer, key, value);
    if (weight > limitBytes) {
      tooLarge.increment();
    }
    return weight;
  }

  @Override
  public V get(K key) {
    return cache.getIfPresent(key);
  }

  @Override
  public void put(K key, V value) {
    if (!closed) {
      cache.put(key, value);
    }
  }

  @Override
  public void invalidate(K key) {
    cache.invalidate(key);
  }

  @Override
  public CompletionStage<Void> clear() {
    cache.invalidateAll();
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<Long> resize(long bytes) {
    if (closed) {
      return CompletableFuture.failedFuture(new StoreException("closed"));
    }
    limitBytes = bytes;
    eviction.setMaximum(bytes);
    // Maintenance scheduled by setMaximum yields to a running one; this waits for it.
    cache.cleanUp();
    return CompletableFuture.completedFuture(bytes);
  }

  @Override
  public long allocatedBytes() {
    return eviction.getMaximum();
  }

  @Override
  public long usedBytes() {
    return eviction.weightedSize().orElse(0);
  }

  @Override
  public long overheadBytes() {
    return ENTRY_OVERHEAD_BYTES;
  }

  @Override
  public long tooLarge() {
    return tooLarge.sum();
  }

  @Override
  public long withoutRoom() {
    return tooLarge.sum() + evicted.sum();
  }

  @Override
  public void close() {
    closed = true;
    cache.invalidateAll();
  }
}
