/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.control.ControlLoop;
import dev.manx.client.control.Recorder;
import dev.manx.client.invalidation.InvalidationStats;
import dev.manx.client.invalidation.Invalidations;
import dev.manx.client.level.Access;
import dev.manx.client.log.SparseLog;
import dev.manx.client.measure.Measures;
import dev.manx.client.store.SharedStore;
import dev.manx.client.store.SharedStoreStats;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.timer.Timer;
import dev.manx.client.timer.TimerThreads;
import dev.manx.policy.NanoClock;
import dev.manx.shares.SharePolicy;
import dev.manx.shares.WindowStatistics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A cache for applications that answer a request by querying many backends at once: its space moves
 * to the backends that block slow requests.
 *
 * <p>Created by {@link #builder()}, one per application server. Thread-safe. Until it is closed, a
 * cache runs two daemon threads, a timer and the control loop, and a few more while time-outs are
 * delivered or remote stores answer. It never harms its host: if a store fails, its keys are
 * misses; if the controller fails, the shares stay as they are.
 */
public final class FanoutCache implements AutoCloseable {
  private static final long ALL_ADDED_NANOS = 60_000_000_000L;
  private static final Duration LONGEST = Duration.ofHours(1);

  private final CacheSettings settings;
  private final NanoClock clock;
  private final TimerThreads timer;
  private final TimerThreads beats = new TimerThreads("manx-beat");
  private final TimerThreads guard = new TimerThreads("manx-guard");
  private final HandOver handOver = new HandOver();
  private final Recorder recorder;
  private final ControlLoop loop;
  private final Opening opening;
  private final Access secondLevel;
  private final SharedStore shared;
  private final Optional<Invalidations> invalidations;
  private final Traces traces;
  private final LatencyListeners latencies = new LatencyListeners();
  private final SparseLog log = new SparseLog(FanoutCache.class);
  private final Steps ends = new Steps();
  private final Map<String, Backend<?, ?>> backends = new ConcurrentHashMap<>();
  private final BackendListeners listeners = new BackendListeners();
  private final RequestCounts requests;
  private final long timeOutNanos;
  private volatile boolean closed;

  FanoutCache(FanoutCacheBuilder builder) {
    settings = builder.settings();
    clock = builder.clock();
    recorder = new Recorder(settings.recordEvery());
    requests = new RequestCounts(recorder, latencies);
    timeOutNanos = settings.requestTimeOut().toNanos();
    SharePolicy policy = settings.policy();
    traces = builder.traces();
    StoreFactory stores = builder.stores();
    shared = policy.partitions() ? null : new SharedStore(stores, settings.capacityBytes());
    secondLevel = builder.secondLevel().map(level -> new Access(level, guard, clock)).orElse(null);
    loop =
        new ControlLoop(
            policy,
            settings.strategy().controller(),
            settings.capacityBytes(),
            recorder,
            builder.exchange(),
            clock);
    loop.listen(latencies::moved);
    opening =
        new Opening(
            settings,
            stores,
            new Measures(policy, settings.capacityBytes(), clock),
            shared,
            guard,
            clock,
            recorder,
            loop,
            secondLevel == null ? null : secondLevel.settings());
    timer = new TimerThreads("manx-timer");
    invalidations =
        builder
            .invalidations()
            .map(
                channel ->
                    new Invalidations(
                        channel, beats, clock, ThreadLocalRandom.current().nextLong()));
    invalidations.ifPresent(Invalidations::start);
    if (!settings.backends().isEmpty()) {
      var unused = timer.after(ALL_ADDED_NANOS, this::nameUnknown);
    }
    if (builder.running()) {
      loop.start();
    }
  }

  /** Logs unknown backend names; usually a name is misspelt. */
  private void nameUnknown() {
    Set<String> unknown = unknownBackends();
    if (!closed && !unknown.isEmpty()) {
      log.warn("settings are configured for backends that were not added: " + unknown, null);
    }
  }

  /** Backends with configured settings that were not added. */
  Set<String> unknownBackends() {
    synchronized (backends) {
      return settings.unknown(backends.keySet());
    }
  }

  /** Returns a builder for a cache. */
  public static FanoutCacheBuilder builder() {
    return new FanoutCacheBuilder();
  }

  /**
   * Adds a backend, also while requests run. May wait some seconds for stores to make room.
   *
   * @throws IllegalArgumentException if the name is already in use, the store cannot keep its
   *     entries, its settings contradict each other, or the smallest shares of all backends exceed
   *     the capacity
   * @throws IllegalStateException if the cache is closed
   */
  public <K, V> Backend<K, V> add(BackendSpec<K, V> spec) {
    synchronized (backends) {
      if (closed) {
        throw new IllegalStateException("the cache is closed");
      }
      if (backends.containsKey(spec.name())) {
        throw new IllegalArgumentException("backend " + spec.name() + " was already added");
      }
      AtomicReference<Backend<K, V>> made = new AtomicReference<>();
      Opening.Opened<K, V> opened = opening.open(spec, made);
      boolean kept = false;
      try {
        BackendSettings own = opened.settings();
        Backend<K, V> added =
            new Backend<>(
                spec, own, opened.store(), this, opened.slot(), handOver.lanes(own, timer, guard));
        made.set(added);
        invalidations.ifPresent(added::share);
        backends.put(spec.name(), added);
        kept = true;
        listeners.added(added);
        return added;
      } finally {
        if (!kept) {
          opening.undo(opened);
        }
      }
    }
  }

  /**
   * Removes a backend, also while requests run. Its later queries fail, and its space is given to
   * others.
   */
  public void remove(Backend<?, ?> backend) {
    synchronized (backends) {
      // Afterwards the cache's end is the backends' end too.
      if (!closed && backends.remove(backend.name(), backend)) {
        ends.take(
            backend::close,
            () -> invalidations.ifPresent(channel -> channel.remove(backend.name())),
            () -> loop.remove(backend.name()),
            () -> recorder.remove(backend.slot()),
            () -> listeners.removed(backend));
      }
    }
  }

  /**
   * Notifies a listener of the present backends, of all later changes and of the cache's end. Its
   * exceptions are logged and have no other effect.
   */
  public void listen(BackendListener listener) {
    synchronized (backends) {
      listeners.add(listener, backends.values());
    }
  }

  /** Registers a listener of latencies. */
  public void listen(LatencyListener listener) {
    latencies.add(listener);
  }

  /** Begins a request. If it is not closed, its latency and blocking backend are not recorded. */
  public FanoutRequest request() {
    try {
      return new FanoutRequest(this, clock.nanoTime());
    } catch (Throwable e) {
      // The application's clock has failed; if it still does, so do the request's queries.
      return new UntimedRequest(this);
    }
  }

  /**
   * Begins a request with its own deadline in place of the cache's request time-out. Queries that
   * are then pending fail.
   *
   * @param deadline from now, 1 ms to 1 h
   */
  public FanoutRequest request(Duration deadline) {
    if (deadline.compareTo(Duration.ofMillis(1)) < 0 || deadline.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("deadline " + deadline + "; allowed: 1 ms to 1 h");
    }
    try {
      return new DeadlineRequest(this, clock.nanoTime(), deadline.toNanos());
    } catch (Throwable e) {
      return new UntimedRequest(this);
    }
  }

  /** Counters of the whole cache since it was created. */
  public CacheStats stats() {
    return new CacheStats(
        requests.completed(),
        requests.withoutQueries(),
        requests.rejected(),
        requests.givenUp(),
        settings.capacityBytes(),
        loop.stats(),
        invalidations.map(Invalidations::stats).orElse(InvalidationStats.NONE),
        handOver.loads().count(),
        LoadThreads.MOST);
  }

  /** Counters and shares of each backend, by name. */
  public Map<String, BackendStats> backendStats() {
    Map<String, BackendStats> stats = new LinkedHashMap<>();
    backends.forEach((name, backend) -> stats.put(name, backend.stats()));
    return stats;
  }

  /**
   * Counters of the store that all backends share, as with {@code cache.shared}; empty if each has
   * its own.
   */
  public Optional<SharedStoreStats> sharedStore() {
    return Optional.ofNullable(shared).map(SharedStore::stats);
  }

  /** The statistics of the last decision's window, summed over all application servers. */
  public WindowStatistics recent() {
    return loop.recent();
  }

  /** The settings that the cache was built with. */
  public CacheSettings settings() {
    return settings;
  }

  /**
   * Runs the control loop's decision now; for tests and for hosts that drive the loop themselves.
   */
  public void tick() {
    loop.tick();
  }

  long limitNanos() {
    return timeOutNanos;
  }

  long nanoTime() {
    return clock.nanoTime();
  }

  NanoClock clock() {
    return clock;
  }

  /** The timer of time-outs: may run application code, which may block. */
  Timer timer() {
    return timer;
  }

  /** The timer of the cache's internal waits: runs no application code. */
  Timer guard() {
    return guard;
  }

  /** The second level, or null. */
  Access secondLevel() {
    return secondLevel;
  }

  /** Null without carriers and tracing. */
  Traces traces() {
    return traces;
  }

  LatencyListeners latencies() {
    return latencies;
  }

  Recorder recorder() {
    return recorder;
  }

  RequestCounts requests() {
    return requests;
  }

  /**
   * Stops the threads and empties the stores. Waiting queries fail as if timed out; later ones
   * fail. Waits until remote stores have released their servers for a successor, at most two of
   * their time-outs, and until the other servers were sent a farewell, at most a second.
   * Idempotent.
   */
  @Override
  public void close() {
    synchronized (backends) {
      if (closed) {
        return;
      }
      closed = true;
      ends.take(loop::close, () -> invalidations.ifPresent(Invalidations::close), beats::close);
      backends.values().forEach(backend -> ends.take(backend::close));
      ends.take(
          () -> Optional.ofNullable(shared).ifPresent(SharedStore::close),
          () -> Optional.ofNullable(secondLevel).ifPresent(Access::close),
          guard::close,
          handOver::close,
          timer::close,
          listeners::closed);
    }
    awaitLeft();
  }

  private void awaitLeft() {
    List<CompletableFuture<Void>> left = new ArrayList<>();
    backends.values().forEach(backend -> left.add(backend.left().toCompletableFuture()));
    if (shared != null) {
      left.add(shared.left().toCompletableFuture());
    }
    invalidations.ifPresent(channel -> left.add(channel.left()));
    Steps.await(left);
  }
}
