/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.control.ControlLoop;
import dev.manx.client.control.Recorder;
import dev.manx.client.control.Share;
import dev.manx.client.level.LevelSettings;
import dev.manx.client.measure.Measures;
import dev.manx.client.store.LocalStore;
import dev.manx.client.store.SharedStore;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreSpec;
import dev.manx.client.timer.Timer;
import dev.manx.policy.NanoClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Opens the stores of backends: one share for each or one store for all, with expiry if configured.
 */
final class Opening {
  private final CacheSettings settings;
  private final StoreFactory stores;
  private final Measures measures;
  private final SharedStore shared;
  private final Timer guard;
  private final NanoClock clock;
  private final Recorder recorder;
  private final ControlLoop loop;
  private final LevelSettings secondLevel;
  private final Steps ends = new Steps();

  /** The parts of an opened backend. */
  record Opened<K, V>(Store<K, V> store, BackendSettings settings, Recorder.Slot slot) {}

  /**
   * @param shared null: each backend has its own share
   * @param loop divides the shares
   * @param secondLevel null: none
   */
  Opening(
      CacheSettings settings,
      StoreFactory stores,
      Measures measures,
      SharedStore shared,
      Timer guard,
      NanoClock clock,
      Recorder recorder,
      ControlLoop loop,
      LevelSettings secondLevel) {
    this.settings = settings;
    this.stores = stores;
    this.measures = measures;
    this.shared = shared;
    this.guard = guard;
    this.clock = clock;
    this.recorder = recorder;
    this.loop = loop;
    this.secondLevel = secondLevel;
  }

  /**
   * Opens one backend, with a share and a place in the statistics.
   *
   * @param made the backend, once it exists
   * @throws IllegalArgumentException if the store cannot do what is requested, the settings
   *     contradict each other, or its share does not fit
   */
  <K, V> Opened<K, V> open(BackendSpec<K, V> spec, AtomicReference<Backend<K, V>> made) {
    BackendSettings own = settingsOf(spec);
    Recorder.Slot slot = recorder.add(spec.name());
    Store<K, V> store = null;
    boolean kept = false;
    try {
      store = open(spec, own, slot, made);
      Store<?, ?> resized = store instanceof TimedStore<K, V> timed ? timed.inner() : store;
      give(spec.name(), resized, own.floorBytes());
      kept = true;
    } finally {
      if (!kept) {
        undo(slot, store);
      }
    }
    return new Opened<>(store, own, slot);
  }

  /** Removes what {@link #open} has made for a backend that could not be added. */
  void undo(Opened<?, ?> opened) {
    undo(opened.slot(), opened.store());
  }

  private void undo(Recorder.Slot slot, Store<?, ?> store) {
    if (store != null) {
      // Its share is free only after that.
      ends.take(store::close);
    }
    ends.take(() -> loop.remove(slot.name()), () -> recorder.remove(slot));
  }

  private BackendSettings settingsOf(BackendSpec<?, ?> spec) {
    BackendSettings own =
        settings.of(
            spec.name(),
            spec.settings(),
            spec.expiry().isPresent(),
            stores.timeToLive(),
            secondLevel == null ? Duration.ZERO : secondLevel.timeToLive());
    Freshness fresh = own.freshness();
    // Values that the second level returns after a failover must not live here for ever.
    return secondLevel != null && fresh.timeToLive().isZero()
        ? own.withFreshness(fresh.withTimeToLive(secondLevel.timeToLive()))
        : own;
  }

  private void give(String name, Store<?, ?> store, long floorBytes) {
    try {
      if (shared == null) {
        loop.add(new Share(name, store, floorBytes));
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "backend "
              + name
              + ": "
              + e.getMessage()
              + "; lower the floors of the policy and the backends, or raise the capacity",
          e);
    }
  }

  private <K, V> Store<K, V> open(
      BackendSpec<K, V> spec,
      BackendSettings own,
      Recorder.Slot slot,
      AtomicReference<Backend<K, V>> made) {
    if (secondLevel != null && spec.codec().isEmpty()) {
      throw new IllegalArgumentException(
          "backend " + spec.name() + " needs a codec to be kept in the second level");
    }
    Store<K, V> store = timed(spec, own, slot, made);
    if (secondLevel != null && !(store instanceof LocalStore)) {
      store.close();
      throw new IllegalArgumentException(
          "backend " + spec.name() + ": a second level needs stores in this process above it");
    }
    return store;
  }

  private <K, V> Store<K, V> timed(
      BackendSpec<K, V> spec,
      BackendSettings own,
      Recorder.Slot slot,
      AtomicReference<Backend<K, V>> made) {
    StoreSpec<K, V> wanted = new StoreSpec<>(spec.name(), 0, spec.sizer(), spec.codec());
    if (own.freshness().equals(Freshness.FOREVER) && spec.expiry().isEmpty()) {
      return open(wanted, slot);
    }
    Refresher<K> refresher = new Refresher<>(guard, (keys, then) -> made.get().refresh(keys, then));
    Store<K, Timed<V>> inner = open(TimedStore.spec(wanted), slot);
    try {
      return TimedStore.over(
          inner,
          new TimedStore.Times<>(
              own.freshness(),
              spec.expiry(),
              clock,
              own.timeOut().toNanos(),
              refresher::due,
              why -> made.get().counters().notKept(1, why)));
    } catch (IllegalArgumentException e) {
      inner.close();
      throw new IllegalArgumentException("backend " + spec.name() + ": " + e.getMessage(), e);
    }
  }

  private <K, V> Store<K, V> open(StoreSpec<K, V> wanted, Recorder.Slot slot) {
    return shared == null
        ? measures.open(stores, wanted, () -> recorder.shadowHit(slot))
        : shared.view(wanted);
  }
}
