/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.measure;

import dev.manx.client.store.LocalStore;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreSpec;
import dev.manx.policy.NanoClock;
import dev.manx.shares.SharePolicy;
import java.util.Optional;

/** The measurements that one cache's policy needs. A policy that needs none costs nothing. */
public final class Measures {
  private final long shadowBytes;
  private final boolean curves;
  private final long capacityBytes;
  private final NanoClock clock;

  /** Determines the measurements of this policy, in a cache of this many bytes. */
  public Measures(SharePolicy policy, long capacityBytes, NanoClock clock) {
    shadowBytes = policy.partitions() ? policy.shadowBytes() : 0;
    curves = policy.partitions() && policy.wantsCurves();
    this.capacityBytes = capacityBytes;
    this.clock = clock;
  }

  /**
   * The alternatives to a policy that such stores cannot support; empty if they can.
   *
   * @param reportsEvictions whether the stores report their evictions
   */
  public static Optional<String> instead(SharePolicy policy, boolean reportsEvictions) {
    return reportsEvictions || policy.shadowBytes() == 0
        ? Optional.empty()
        : Optional.of(
            "signal: miss-curve or request-rate, or store: caffeine or lru; shadow hits"
                + " need a store that reports its evictions");
  }

  /**
   * Opens a store, with measurements if needed.
   *
   * @param shadowHit runs at each miss that a slightly larger share would have answered
   */
  public <K, V> Store<K, V> open(StoreFactory stores, StoreSpec<K, V> spec, Runnable shadowHit) {
    if (shadowBytes == 0 && !curves) {
      return stores.open(spec);
    }
    ShadowKeys<K> shadow = shadowBytes > 0 ? new ShadowKeys<>(shadowBytes) : null;
    Store<K, V> store = stores.open(shadow == null ? spec : spec.reporting(shadow::evicted));
    CurveSampler sampler = curves ? new CurveSampler(capacityBytes, clock) : null;
    ShareMeter<K, V> meter =
        new ShareMeter<>(shadow, shadowHit, sampler, spec.sizer(), store.overheadBytes());
    return store instanceof LocalStore<K, V> local
        ? new MeasuredStore.Local<>(local, meter)
        : new MeasuredStore<>(store, meter);
  }
}
