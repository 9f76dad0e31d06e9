/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.store.LocalStore;
import dev.manx.client.store.Store;
import dev.manx.client.timer.Timer;
import dev.manx.client.tracing.LoadEnd;
import dev.manx.policy.NanoClock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * The loads of one backend in progress. If several queries miss the same key at once, one loads it
 * and the others wait for that load.
 */
final class Loads<K, V> implements Asking.Ends<K, V> {
  private final String backend;
  private final BackendCounters counters;
  private final Timer timer;
  private final BackendBreaker breaker;
  private final long timeOutNanos;
  private final Owners<K, V> owners;
  private final HandOver.Lanes lanes;
  private final BackendLevel<K, V> below;
  private final KeyClaims<K, V> claims;
  private final StaleValues<K, V> stale;
  private final Asking<K, V> asking;
  private final Traces traces;
  private final LoadTimes times;

  /**
   * @param timer of time-outs, which may run application code
   * @param guard of the cache's internal waits
   * @param traces null: refreshes are not traced
   * @param called receives the time of each call of the loader, in nanoseconds
   */
  Loads(
      String backend,
      Loader<K, V> loader,
      Duration timeOut,
      Store<K, V> store,
      Owners<K, V> owners,
      BackendCounters counters,
      BackendBreaker breaker,
      Timer timer,
      Timer guard,
      NanoClock clock,
      HandOver.Lanes lanes,
      BackendLevel<K, V> below,
      Traces traces,
      LongConsumer called) {
    this.traces = traces;
    this.below = below;
    this.backend = backend;
    this.owners = owners;
    this.lanes = lanes;
    this.counters = counters;
    this.timer = timer;
    this.breaker = breaker;
    this.timeOutNanos = timeOut.toNanos();
    this.claims =
        new KeyClaims<>(owners, store instanceof LocalStore<K, V> here ? here : null, counters);
    this.stale = new StaleValues<>(store, guard, lanes, timeOutNanos);
    this.times = new LoadTimes(timeOutNanos, clock, called);
    asking =
        new Asking<>(backend, loader, timeOutNanos, owners, below, breaker, timer, clock, this);
  }

  /** Number of keys being loaded. */
  int keysInFlight() {
    return owners.keysInFlight();
  }

  /** Number of keys that timed-out loads may still answer. */
  int keysLate() {
    return owners.keysLate();
  }

  /**
   * Loads keys, each by a new load or by one in progress.
   *
   * @param by the query that needs them, or null
   * @param wait receives the keys of each load, before the loader is called, which may block
   */
  void load(List<K> missing, QueryContext by, Consumer<Map<LoaderCall<K, V>, List<K>>> wait) {
    LoaderCall<K, V> mine = new LoaderCall<>(true, missing.size(), by);
    try {
      Map<LoaderCall<K, V>, List<K>> all = claims.loadsOf(missing, mine);
      if (all.size() > 1 && !mine.isEmpty()) {
        // Another load may have failed: then callbacks run now, and may wait for a claimed key.
        follow(mine);
        asking.bound(mine);
      }
      wait.accept(all);
    } finally {
      // Even if a key's equals or hashCode failed, or the stack is full: other queries may wait
      // for keys already claimed.
      if (!mine.isEmpty()) {
        start(mine);
      }
    }
  }

  /** A load that has timed out before it began. */
  LoaderCall<K, V> notBegun(List<K> keys) {
    LoaderCall<K, V> load = new LoaderCall<>(true, keys.size(), null);
    load.keys.addAll(keys);
    expired(load);
    return load;
  }

  /** Loads keys without cache and coalescing. */
  void loadUncached(List<K> keys, QueryContext by, Consumer<Map<LoaderCall<K, V>, List<K>>> wait) {
    LoaderCall<K, V> load = new LoaderCall<>(false, keys.size(), by);
    load.keys.addAll(keys);
    wait.accept(Map.of(load, keys));
    start(load);
  }

  /** Starts a load, which ends in every case. */
  private void start(LoaderCall<K, V> load) {
    try {
      follow(load);
      asking.start(load);
    } catch (Throwable e) {
      ended(load, null, e);
      throw e;
    }
  }

  private static void follow(LoaderCall<?, ?> load) {
    if (load.by != null && load.context == null && !load.keys.isEmpty()) {
      load.context = load.by.load();
    }
  }

  /** Refreshes cached keys, except those being loaded. */
  void refresh(List<K> keys, Runnable then) {
    LoaderCall<K, V> load = LoaderCall.again(keys.size());
    load.whenAnswered((values, error) -> then.run());
    try {
      claims.takeFree(keys, load);
      counters.refreshes.add(load.keys.size());
      if (traces != null && !load.keys.isEmpty()) {
        load.context = traces.refresh(backend);
      }
    } finally {
      start(load);
    }
  }

  /* The trial does not claim keys: queries would join it and wait. So its values are not cached. */
  @Override
  public void trial(LoaderCall<K, V> refused, BackendBreaker.Permit permit) {
    List<K> keys = refused.asked();
    LoaderCall<K, V> trial = new LoaderCall<>(false, keys.size(), refused.by);
    trial.keys.addAll(keys);
    if (refused.by != null) {
      trial.context = refused.by.load();
    }
    asking.tryOut(trial, permit, lanes.loads());
  }

  /* Once a load has ended, nothing else ends it: whatever fails in between, its permit is returned
   * and the queries that wait for it are answered. */

  @Override
  public void expired(LoaderCall<K, V> load) {
    Throwable failure =
        LateQueries.failure(
            timer, backend, "within " + TimeUnit.NANOSECONDS.toMillis(timeOutNanos) + " ms");
    if (!load.end()) {
      return;
    }
    load.markTooLate();
    try {
      owners.late(load);
      counters.timeOuts.increment();
      times.timedOut(load);
    } finally {
      try {
        asking.timedOut(load);
      } finally {
        answer(load, LoadEnd.Outcome.TIMED_OUT, null, failure);
      }
    }
  }

  @Override
  public void ended(LoaderCall<K, V> load, Map<K, V> values, Throwable error) {
    Map<K, V> found = null;
    Throwable failure = LoaderCall.bare(error);
    try {
      if (failure instanceof FailedKeysException some) {
        found = pick(load, some);
        failure = found == null ? firstOf(load.failed) : null;
      } else if (failure == null) {
        found = pick(load, values);
      }
    } catch (Throwable e) {
      failure = e;
    }
    // Before the load ends: its time-out also bounds the application's predicate, which gets only
    // exceptions of the loader, and not those of a cancellation by the time-out.
    boolean ignored =
        error != null
            && failure != null
            && !load.hasEnded()
            && load.hasBegun()
            && load.isPermitted()
            && breaker.ignores(failure);
    if (!load.end()) {
      keep(load, found, false);
      owners.noLateAnswer(load);
      return;
    }
    BackendBreaker.Permit permit = load.takePermit();
    try {
      keep(load, found, true);
      times.ended(load, failure);
    } finally {
      try {
        count(load, permit, ignored, found != null);
      } finally {
        answer(load, outcome(permit, found != null), found, failure);
      }
    }
  }

  /** Stores the values of a load, if any, and releases its keys if it still owns them. */
  private void keep(LoaderCall<K, V> load, Map<K, V> found, boolean inTime) {
    if (!load.cached) {
      return;
    }
    boolean free = false;
    try {
      free = found != null && owners.keep(load, found, inTime);
    } catch (Throwable e) {
      // The values are answered even if storing fails: queries wait for this load.
      counters.notKept(found.size(), e);
    } finally {
      if (inTime && !free) {
        owners.release(load);
      }
    }
  }

  /** Counts a load, and returns its permit. */
  private void count(
      LoaderCall<K, V> load, BackendBreaker.Permit permit, boolean ignored, boolean answered) {
    if (permit == BackendBreaker.Permit.NO) {
      counters.broken.increment();
    } else if (!answered || !load.failed.isEmpty()) {
      counters.failures.increment();
    }
    if (permit != null && ignored) {
      breaker.ignore(permit);
    } else if (permit != null) {
      breaker.ended(permit, answered);
    }
  }

  /** Reports a load's end to its trace, then answers the queries that wait for it. */
  private void answer(
      LoaderCall<K, V> load, LoadEnd.Outcome outcome, Map<K, V> found, Throwable failure) {
    try {
      load.notifyEnd(outcome, found, failure);
    } finally {
      if (found == null) {
        stale.then(load, load.keys, () -> load.failed(failure));
      } else {
        answer(load, found);
      }
    }
  }

  private void answer(LoaderCall<K, V> load, Map<K, V> found) {
    try {
      below.fill(load, found);
    } finally {
      if (load.failed.isEmpty()) {
        load.answered(found);
      } else {
        stale.then(load, List.copyOf(load.failed.keySet()), () -> load.answered(found));
      }
    }
  }

  private static Throwable firstOf(Map<?, Throwable> failed) {
    return failed.values().iterator().next();
  }

  private static LoadEnd.Outcome outcome(BackendBreaker.Permit permit, boolean answered) {
    if (permit == BackendBreaker.Permit.NO) {
      return LoadEnd.Outcome.REFUSED;
    }
    return answered ? LoadEnd.Outcome.ANSWERED : LoadEnd.Outcome.FAILED;
  }

  /** Whether a timed-out query may find values here or in the second level. */
  boolean mayAnswerLate() {
    return stale.areHere() || below.exists();
  }

  /** Expired values for an answer, from a store in this process; never waits. */
  Map<K, V> staleHere(List<K> keys) {
    return stale.here(keys);
  }

  /**
   * The requested keys that have a value, if only some of the keys have failed; null if all of them
   * have.
   */
  @SuppressWarnings("unchecked")
  private Map<K, V> pick(LoaderCall<K, V> load, FailedKeysException some) {
    Map<K, V> values = (Map<K, V>) some.values();
    Map<K, Throwable> failed = new LinkedHashMap<>();
    List<K> asked = load.asked();
    for (K key : asked) {
      Throwable why = some.failed().get(key);
      if (why != null && values.get(key) == null) {
        failed.put(key, why);
      }
    }
    load.failed = failed;
    return failed.size() == asked.size() ? null : pick(load, values);
  }

  /** The requested keys that have a value. */
  private Map<K, V> pick(LoaderCall<K, V> load, Map<K, V> values) {
    if (values == null) {
      throw new IllegalStateException(
          "the loader of backend " + backend + " returned null instead of a map");
    }
    Map<K, V> found = Query.mapFor(load.already().size() + load.keys.size());
    found.putAll(load.already());
    for (K key : load.keys) {
      V below = load.below(key);
      V value = below == null ? values.get(key) : below;
      if (value != null) {
        found.put(key, value);
      }
    }
    return found;
  }
}
