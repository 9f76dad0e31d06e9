/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

import dev.manx.shares.ByteLru;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A share that evicts strictly by least recent use, as the papers' caches do; one lock keeps the
 * order exact. For comparisons; Caffeine has more hits and scales better.
 */
public final class LruStore<K, V> implements LocalStore<K, V> {
  /* The hash map's node (32 bytes) and slot (up to 8), the slot's number (16), two array places (8)
   * and ByteLru's (12), with compressed references. */
  static final int ENTRY_OVERHEAD_BYTES = 76;

  private final Sizer<K, V> sizer;
  private final EvictionListener<K> evictions;

  // Guarded by this.
  private final Map<K, Integer> slots = new HashMap<>();
  private final List<K> keys = new ArrayList<>();
  private final List<V> values = new ArrayList<>();
  private final List<Integer> unused = new ArrayList<>();
  private final ByteLru order;
  private long tooLarge;
  private long evicted;
  private boolean closed;

  private LruStore(StoreSpec<K, V> spec) {
    sizer = spec.sizer();
    evictions = spec.evictions().orElse((key, bytes) -> {});
    order = new ByteLru(16, spec.bytes(), this::evicted);
  }

  /** Opens such stores. */
  public static StoreFactory factory() {
    return new StoreFactory() {
      @Override
      public <K, V> Store<K, V> open(StoreSpec<K, V> spec) {
        return new LruStore<>(spec);
      }

      @Override
      public boolean reportsEvictions() {
        return true;
      }
    };
  }

  @Override
  public synchronized V get(K key) {
    Integer slot = slots.get(key);
    if (slot == null) {
      return null;
    }
    order.touch(slot);
    return values.get(slot);
  }

  @Override
  public synchronized void put(K key, V value) {
    long bytes = sizer.bytes(key, value, ENTRY_OVERHEAD_BYTES);
    invalidate(key);
    if (closed) {
      return;
    }
    if (bytes > order.limitBytes() || bytes > Integer.MAX_VALUE) {
      tooLarge++;
      return;
    }
    int slot = unused.isEmpty() ? keys.size() : unused.remove(unused.size() - 1);
    if (slot == keys.size()) {
      keys.add(key);
      values.add(value);
    } else {
      keys.set(slot, key);
      values.set(slot, value);
    }
    slots.put(key, slot);
    order.put(slot, (int) bytes);
  }

  @Override
  public synchronized void invalidate(K key) {
    Integer slot = slots.get(key);
    if (slot != null) {
      order.remove(slot);
      free(slot);
    }
  }

  private void evicted(int slot) {
    K key = keys.get(slot);
    free(slot);
    evicted++;
    if (!closed) {
      evictions.evicted(key, order.bytes(slot));
    }
  }

  private void free(int slot) {
    slots.remove(keys.get(slot));
    keys.set(slot, null);
    values.set(slot, null);
    unused.add(slot);
  }

  @Override
  public synchronized CompletionStage<Void> clear() {
    List.copyOf(slots.keySet()).forEach(this::invalidate);
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public synchronized CompletionStage<Long> resize(long bytes) {
    if (closed) {
      return CompletableFuture.failedFuture(new StoreException("closed"));
    }
    order.resize(bytes);
    return CompletableFuture.completedFuture(bytes);
  }

  @Override
  public synchronized long allocatedBytes() {
    return order.limitBytes();
  }

  @Override
  public synchronized long usedBytes() {
    return order.usedBytes();
  }

  @Override
  public long overheadBytes() {
    return ENTRY_OVERHEAD_BYTES;
  }

  @Override
  public synchronized long tooLarge() {
    return tooLarge;
  }

  @Override
  public synchronized long withoutRoom() {
    return tooLarge + evicted;
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      order.resize(0);
    }
  }
}
