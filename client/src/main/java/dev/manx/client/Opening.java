/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.control.Recorder;
import dev.manx.client.measure.Measures;
import dev.manx.client.store.LocalStore;
import dev.manx.client.store.SharedStore;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreSpec;
import dev.manx.client.timer.Timer;
import dev.manx.policy.NanoClock;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Opens the stores of backends: shares of their own or one for all, with times if there are any.
 */
final class Opening {
  private final StoreFactory stores;
  private final Measures measures;
  private final SharedStore shared;
  private final Timer guard;
  private final NanoClock clock;
  private final Recorder recorder;
  private final boolean twoLevels;

  /**
   * @param shared null: each backend has a share
   * @param twoLevels whether there is a second level below
   */
  Opening(
      StoreFactory stores,
      Measures measures,
      SharedStore shared,
      Timer guard,
      NanoClock clock,
      Recorder recorder,
      boolean twoLevels) {
    this.stores = stores;
    this.measures = measures;
    this.shared = shared;
    this.guard = guard;
    this.clock = clock;
    this.recorder = recorder;
    this.twoLevels = twoLevels;
  }

  /**
   * Opens one.
   *
   * @param made the backend, as soon as it is there
   * @throws IllegalArgumentException if the store cannot do what is asked for
   */
  <K, V> Store<K, V> open(
      BackendSpec<K, V> spec,
      BackendSettings own,
      Recorder.Slot slot,
      AtomicReference<Backend<K, V>> made) {
    if (twoLevels && spec.codec().isEmpty()) {
      throw new IllegalArgumentException(
          "backend " + spec.name() + " needs a codec to be kept in the second level");
    }
    Store<K, V> store = timed(spec, own, slot, made);
    if (twoLevels && !(store instanceof LocalStore)) {
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
              () -> made.get().counters().notKept.increment()));
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
