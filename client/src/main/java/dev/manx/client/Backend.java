/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.control.Recorder;
import dev.manx.client.invalidation.Invalidations;
import dev.manx.client.store.Store;
import dev.manx.policy.NanoClock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * One backend of a cache, returned by {@link FanoutCache#add}. Requests query it, and applications
 * invalidate its keys. Thread-safe.
 */
public final class Backend<K, V> {
  private final BackendSpec<K, V> spec;
  private final BackendSettings settings;
  private final long longestNanos;
  private final Store<K, V> store;
  private final LookUps<K, V> lookUps;
  private final NegativeCache<K> negative;
  private final BackendLevel<K, V> below;
  private final Writes<K, V> writes;
  private final BackendBreaker breaker;
  private final Loads<K, V> loads;
  private final HandOver.Lanes lanes;
  private final NanoClock clock;
  private final Recorder recorder;
  private final LatencyListeners latencies;
  private final Recorder.Slot slot;
  private final BackendCounters counters;
  private final AtomicInteger pending = new AtomicInteger();
  private final Blocker hit = new Blocker.Hit(this);
  private volatile boolean open = true;

  Backend(
      BackendSpec<K, V> spec,
      BackendSettings settings,
      Store<K, V> store,
      FanoutCache cache,
      Recorder.Slot slot,
      HandOver.Lanes lanes) {
    this.spec = spec;
    this.counters = new BackendCounters(spec.name());
    this.settings = settings;
    // Time of a look into a remote store, and of a load.
    this.longestNanos = 2 * settings.timeOut().toNanos();
    this.latencies = cache.latencies();
    this.store = store;
    this.negative = new NegativeCache<>(settings, cache.clock());
    this.lanes = lanes;
    long timeOutNanos = settings.timeOut().toNanos();
    this.lookUps = new LookUps<>(store, counters, cache.guard(), lanes, timeOutNanos);
    RemoteWrites<K, V> remote =
        lookUps.areHere()
            ? null
            : new RemoteWrites<>(store, counters, cache.guard(), timeOutNanos, lanes.writes());
    Owners<K, V> owners = new Owners<>(store, remote, negative, counters);
    this.breaker = new BackendBreaker(settings.breaker(), cache.clock());
    this.below =
        new BackendLevel<>(cache.secondLevel(), spec, settings, lanes, this::forgottenLate);
    this.writes = new Writes<>(spec, owners, below, counters);
    this.loads =
        new Loads<>(
            spec.name(),
            spec.loader(),
            settings.timeOut(),
            store,
            owners,
            counters,
            breaker,
            cache.timer(),
            cache.guard(),
            cache.clock(),
            lanes,
            below,
            cache.traces(),
            nanos -> latencies.load(this, nanos));
    this.clock = cache.clock();
    this.recorder = cache.recorder();
    this.slot = slot;
  }

  /** The backend's name. */
  public String name() {
    return spec.name();
  }

  /** The settings that the cache uses for this backend. */
  public BackendSettings settings() {
    return settings;
  }

  /**
   * Removes keys, including keys remembered as absent. Queries that begin after the returned stage
   * completes (with a store in this process: after this call) see the backend's current values.
   * Values being loaded now are not cached. If a codec throws for a key, all keys are removed.
   *
   * <p>With {@link FanoutCacheBuilder#invalidations}, the other servers remove the keys too, soon
   * after.
   *
   * @return completes exceptionally if the store cannot guarantee this or other servers could not
   *     be notified. The stores of Manx guarantee it, remote ones also while unreachable
   */
  public CompletionStage<Void> invalidate(Collection<? extends K> keys) {
    return write(() -> writes.invalidate(List.copyOf(keys)));
  }

  /** Removes every key, with the same guarantee as {@link #invalidate}. */
  public CompletionStage<Void> invalidateAll() {
    return write(writes::invalidateAll);
  }

  /**
   * Caches a value that the application knows, for example one that it has just written. Queries
   * that begin after completion see it or ask the backend. Answers of earlier loads are not cached.
   * The application still writes to the backend itself. Other servers remove the key, as with
   * {@link #invalidate}. If a codec throws for the key, all keys are removed.
   *
   * @return completes exceptionally like the stage of {@link #invalidate}
   */
  public CompletionStage<Void> put(K key, V value) {
    return write(
        () -> {
          Objects.requireNonNull(key, "key");
          return writes.put(Map.of(key, Objects.requireNonNull(value, "value")));
        });
  }

  /**
   * Caches several values that the application knows, each as {@link #put} does. A remote store, a
   * second level and the other servers receive them together. If a codec throws for a key, all keys
   * are removed. Copies the map.
   */
  public CompletionStage<Void> putAll(Map<? extends K, ? extends V> entries) {
    return write(() -> writes.put(Map.copyOf(entries)));
  }

  /** Carries out a write; its callbacks run on a thread on which they may block. */
  private CompletionStage<Void> write(Supplier<CompletionStage<Void>> write) {
    try {
      return lanes.done().handOver(write.get());
    } catch (Throwable e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void forgottenLate(List<String> texts) {
    writes.forgottenLate(texts);
  }

  /** Connects invalidations with the other servers, in both directions. */
  void share(Invalidations with) {
    writes.share(with);
  }

  /**
   * Looks into the cache only, without a load or a refresh. The look-up counts neither as a hit nor
   * as a miss, does not belong to a request, and has no part in the division of the cache. As in
   * any cache, an entry that is found was used most recently.
   *
   * @return completes with the value, or with null if the key is not cached
   */
  public CompletionStage<V> getIfPresent(K key) {
    if (key == null) {
      return CompletableFuture.failedFuture(new NullPointerException("key"));
    }
    return lookUps.ifPresent(key);
  }

  /** Reloads keys, then runs {@code then}. */
  void refresh(List<K> keys, Runnable then) {
    if (open) {
      // The loader may block its caller.
      lanes.loads().execute(() -> loads.refresh(keys, then), then);
    }
  }

  /** A snapshot of the counters. */
  public BackendStats stats() {
    return new BackendStats(
        counters.hits.sum(),
        counters.misses.sum(),
        counters.absentHits.sum(),
        counters.coalesced.sum(),
        counters.uncached.sum(),
        counters.failures.sum(),
        counters.timeOuts.sum(),
        counters.refused.sum(),
        counters.notKept.sum(),
        store.tooLarge(),
        counters.blocked.sum(),
        counters.refreshes.sum(),
        counters.staleAnswers.sum(),
        counters.broken.sum(),
        breaker.isOpen(),
        pending.get(),
        store.allocatedBytes(),
        store.usedBytes(),
        store.isDegraded(),
        store.failures() + counters.lookUpFailures.sum(),
        store.emptied(),
        below.stats(),
        lanes.loads().stuck(),
        lanes.loads().givenUp(),
        counters.lookUpFailures.sum());
  }

  long nanoTime() {
    return clock.nanoTime();
  }

  Store<K, V> store() {
    return store;
  }

  LookUps<K, V> lookUps() {
    return lookUps;
  }

  Loads<K, V> loads() {
    return loads;
  }

  /** The threads on which queries continue after a remote store has answered. */
  HandOver.Lanes lanes() {
    return lanes;
  }

  Recorder.Slot slot() {
    return slot;
  }

  BackendCounters counters() {
    return counters;
  }

  /** This backend as the blocker of requests whose slowest query was a hit. */
  Blocker hit() {
    return hit;
  }

  boolean isOpen() {
    return open;
  }

  /** The keys that must be loaded; a removed backend does not know absent keys. */
  List<K> notKnownAbsent(Collection<K> missing) {
    return open ? negative.without(missing) : List.copyOf(missing);
  }

  /** Takes one of the places for pending queries; false if none is free. */
  boolean mayWait() {
    if (pending.incrementAndGet() <= settings.maxPending()) {
      return true;
    }
    pending.decrementAndGet();
    counters.refused.increment();
    return false;
  }

  void waitsNoMore() {
    pending.decrementAndGet();
  }

  OverloadException overload() {
    return new OverloadException(name(), settings.maxPending());
  }

  /** Records a query that the local store answered. */
  void hit(int keys, long nanos) {
    counters.hits.add(keys);
    recorder.query(slot, keys, Math.min(longestNanos, nanos), 0, 0);
  }

  /**
   * Records the end of a query that had to wait.
   *
   * @param hitNanos time until the look-up ended
   * @param nanos time until the query ended
   */
  void ended(QueryAnswer<?, ?> answer, long hitNanos, long nanos, boolean cached) {
    int hits = answer.hits();
    if (cached) {
      if (hits > 0) {
        counters.hits.add(hits);
        counters.absentHits.add(answer.absent());
      }
      counters.misses.add(answer.misses());
      if (answer.stale() > 0) {
        // Adding 0 too would write memory that all threads share.
        counters.staleAnswers.add(answer.stale());
      }
    } else {
      counters.uncached.add(answer.misses());
    }
    // Policies estimate from the latency of misses how busy the backend is: keys that failed at
    // once, or that the second level answered, would make it look fast. Uncached keys are not
    // misses. A query that took longer than its time-outs was delayed by a pause of this process.
    long mostNanos = Math.min(longestNanos, nanos);
    int asked = cached ? answer.asked() : 0;
    if (hits > 0 || asked > 0) {
      recorder.query(slot, hits, Math.min(longestNanos, hitNanos), asked, mostNanos);
      if (answer.early() > 0) {
        recorder.found(slot, answer.early(), mostNanos);
      }
    } else {
      recorder.query(slot, answer.early(), mostNanos, 0, 0);
    }
    latencies.query(this, nanos);
    if (cached && answer.misses() == 0 && hits > 0) {
      latencies.hit(this, nanos);
    }
  }

  /** Closes the backend: later queries fail, and its space is released. */
  void close() {
    open = false;
    lanes.loads().close();
    store.close();
  }

  /** Completes when the closed store has left its server, as {@link Store#left} does. */
  CompletionStage<Void> left() {
    return store.left();
  }
}
