/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

import dev.manx.client.log.SparseLog;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * One store for all backends, which each backend sees as its own: a cache without shares. Sizes and
 * usage are those of the whole; it is not resized.
 */
public final class SharedStore implements AutoCloseable {
  private record Key(View<?, ?> owner, String epoch, Object key) {}

  private static final int EPOCH_BITS = 36;
  private static final int EPOCH_RADIX = 36;

  private final StoreFactory factory;
  private final long bytes;
  /*
   * An epoch is never reused, neither by a backend that is removed and added again nor by a cache
   * reopened over a store that outlives it: old entries may have been invalidated since.
   */
  private final AtomicLong epochs =
      new AtomicLong(ThreadLocalRandom.current().nextLong(1L << EPOCH_BITS));
  private final LongAdder emptied = new LongAdder();
  private final SparseLog log = new SparseLog(SharedStore.class);
  private Store<Key, Object> store;

  /** Creates the holder; the store opens with the first view. */
  public SharedStore(StoreFactory factory, long bytes) {
    this.factory = factory;
    this.bytes = bytes;
  }

  /** A backend's view; closing it removes nothing: its entries will be evicted. */
  public synchronized <K, V> Store<K, V> view(StoreSpec<K, V> spec) {
    if (store == null) {
      store = factory.open(new StoreSpec<>("shared", bytes, SharedStore::size, Optional.of(CODEC)));
    }
    return store instanceof LocalStore<Key, Object> local
        ? new LocalView<>(spec, local, this)
        : new View<>(spec, store, this);
  }

  /** The counters of the store; all 0 before the first view. */
  public SharedStoreStats stats() {
    Store<Key, Object> whole;
    synchronized (this) {
      whole = store;
    }
    return whole == null
        ? new SharedStoreStats(0, 0, 0, 0, 0)
        : new SharedStoreStats(
            whole.allocatedBytes(),
            whole.usedBytes(),
            whole.failures() + emptied.sum(),
            whole.emptied() + emptied.sum(),
            whole.tooLarge());
  }

  /** The entries of one backend are dropped, because its codec threw for an invalidated key. */
  private void emptied(String backend, Throwable why) {
    emptied.increment();
    log.warn(
        "the entries of backend "
            + backend
            + " in the shared store are dropped: its codec threw for a key that was invalidated",
        why);
  }

  private String newEpoch() {
    return Long.toString(epochs.incrementAndGet(), EPOCH_RADIX);
  }

  @Override
  public synchronized void close() {
    if (store != null) {
      store.close();
    }
  }

  /** Completes when the closed store has left its server, as {@link Store#left} does. */
  public synchronized CompletionStage<Void> left() {
    return store == null ? CompletableFuture.completedFuture(null) : store.left();
  }

  private static long size(Key key, Object value) {
    return key.owner.size(key.key, value);
  }

  private static final Codec<Key, Object> CODEC =
      new Codec<>() {
        @Override
        public String key(Key key) {
          return key.owner.text(key.epoch, key.key);
        }

        @Override
        public byte[] encode(Object value) {
          Owned owned = (Owned) value;
          return owned.owner.encode(owned.value);
        }

        @Override
        public Object decode(Key key, byte[] bytes) {
          Object value = key.owner.decode(key.key, bytes);
          return value == null ? null : new Owned(key.owner, value);
        }
      };

  /** A value with its owner; needed only by remote stores, which encode values. */
  private record Owned(View<?, ?> owner, Object value) {}

  private static class View<K, V> implements Store<K, V> {
    final Store<Key, Object> whole;
    private final StoreSpec<K, V> spec;
    private final SharedStore shared;
    // Keys of an earlier epoch are never looked up again, and are evicted in time.
    private volatile String epoch;
    private volatile boolean closed;

    View(StoreSpec<K, V> spec, Store<Key, Object> whole, SharedStore shared) {
      this.spec = spec;
      this.whole = whole;
      this.shared = shared;
      epoch = shared.newEpoch();
      if (!(whole instanceof LocalStore) && spec.codec().isEmpty()) {
        throw new IllegalArgumentException(
            "backend " + spec.backend() + " needs a codec, because its store is remote");
      }
    }

    boolean isClosed() {
      return closed;
    }

    @SuppressWarnings("unchecked")
    long size(Object key, Object value) {
      Object bare = value instanceof Owned owned ? owned.value : value;
      return spec.sizer().bytes((K) key, (V) bare, KEY_BYTES);
    }

    @SuppressWarnings("unchecked")
    String text(String of, Object key) {
      String own = spec.codec().orElseThrow().key((K) key);
      // The limit applies to the application's part of the key; a key that servers do not accept
      // stays unacceptable.
      return Texts.isAccepted(own) ? Texts.shortened(spec.backend() + "/" + of + "/" + own) : "";
    }

    @SuppressWarnings("unchecked")
    byte[] encode(Object value) {
      return spec.codec().orElseThrow().encode((V) value);
    }

    @SuppressWarnings("unchecked")
    Object decode(Object key, byte[] encoded) {
      return spec.codec().orElseThrow().decode((K) key, encoded);
    }

    Key key(K key) {
      return new Key(this, epoch, key);
    }

    @Override
    public CompletionStage<Map<K, V>> getAll(Collection<? extends K> keys) {
      return getAll(keys, Runnable::run);
    }

    @Override
    public CompletionStage<Map<K, V>> getAll(Collection<? extends K> keys, Executor codecs) {
      if (closed) {
        return CompletableFuture.completedFuture(Map.of());
      }
      return whole.getAll(keys.stream().map(this::key).toList(), codecs).thenApply(this::own);
    }

    @SuppressWarnings("unchecked")
    private Map<K, V> own(Map<Key, Object> found) {
      Map<K, V> own = new HashMap<>();
      found.forEach((key, value) -> own.put((K) key.key, (V) ((Owned) value).value));
      return own;
    }

    @Override
    public CompletionStage<Void> putAll(Map<? extends K, ? extends V> entries) {
      if (closed) {
        return CompletableFuture.completedFuture(null);
      }
      return whole.putAll(owned(entries));
    }

    private Map<Key, Object> owned(Map<? extends K, ? extends V> entries) {
      Map<Key, Object> all = new HashMap<>();
      entries.forEach((key, value) -> all.put(key(key), new Owned(this, value)));
      return all;
    }

    @Override
    public CompletionStage<Void> putAll(Map<? extends K, ? extends V> entries, Duration expiry) {
      if (closed) {
        return CompletableFuture.completedFuture(null);
      }
      return whole.putAll(owned(entries), expiry);
    }

    @Override
    public final CompletionStage<Void> clear() {
      epoch = shared.newEpoch();
      return CompletableFuture.completedFuture(null);
    }

    /**
     * {@inheritDoc} Drops all entries of this backend if its codec throws for a key: the store
     * would drop those of all backends.
     */
    @Override
    public CompletionStage<Void> invalidateAll(Collection<? extends K> keys) {
      Codec<K, V> codec = spec.codec().orElseThrow();
      try {
        keys.forEach(codec::key);
      } catch (Throwable e) {
        shared.emptied(spec.backend(), e);
        return clear();
      }
      return whole.invalidateAll(keys.stream().map(this::key).toList());
    }

    @Override
    public final void drop(Collection<? extends K> keys) {
      whole.drop(keys.stream().map(this::key).toList());
    }

    @Override
    public CompletionStage<Long> resize(long newBytes) {
      return CompletableFuture.failedFuture(
          new StoreException("a cache that all backends share has no shares"));
    }

    @Override
    public long allocatedBytes() {
      return whole.allocatedBytes();
    }

    @Override
    public long usedBytes() {
      return whole.usedBytes();
    }

    @Override
    public boolean isDegraded() {
      return whole.isDegraded();
    }

    @Override
    public long failures() {
      return whole.failures() + shared.emptied.sum();
    }

    @Override
    public long emptied() {
      return whole.emptied() + shared.emptied.sum();
    }

    @Override
    public long tooLarge() {
      return whole.tooLarge();
    }

    @Override
    public long withoutRoom() {
      return whole.withoutRoom();
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  // The composed key's own object, in addition to the backend's sizer.
  private static final int KEY_BYTES = 24;

  private static final class LocalView<K, V> extends View<K, V> implements LocalStore<K, V> {
    private final LocalStore<Key, Object> local;

    LocalView(StoreSpec<K, V> spec, LocalStore<Key, Object> local, SharedStore shared) {
      super(spec, local, shared);
      this.local = local;
    }

    @Override
    @SuppressWarnings("unchecked")
    public V get(K key) {
      return isClosed() ? null : (V) local.get(key(key));
    }

    @Override
    public void put(K key, V value) {
      if (!isClosed()) {
        local.put(key(key), value);
      }
    }

    @Override
    public void invalidate(K key) {
      local.invalidate(key(key));
    }

    @Override
    public CompletionStage<Map<K, V>> getAll(Collection<? extends K> keys) {
      return LocalStore.super.getAll(keys);
    }

    @Override
    public CompletionStage<Map<K, V>> getAll(Collection<? extends K> keys, Executor codecs) {
      return LocalStore.super.getAll(keys);
    }

    @Override
    public CompletionStage<Void> putAll(Map<? extends K, ? extends V> entries) {
      return LocalStore.super.putAll(entries);
    }

    @Override
    public CompletionStage<Void> putAll(Map<? extends K, ? extends V> entries, Duration expiry) {
      return LocalStore.super.putAll(entries);
    }

    @Override
    public CompletionStage<Void> invalidateAll(Collection<? extends K> keys) {
      return LocalStore.super.invalidateAll(keys);
    }
  }
}
