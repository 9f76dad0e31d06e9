/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.measure;

import dev.manx.client.store.Sizer;
import dev.manx.shares.MissCurve;

/**
 * Measures one share: its hits and stored keys make the miss curve, its misses the shadow hits.
 * Thread-safe; never fails.
 */
final class ShareMeter<K, V> {
  /*
   * The curve covers queries that a share could answer, each counted once: at a hit, or when its
   * value is stored after a miss. Queries that wait for another load, fail, or ask for missing keys
   * are excluded. Values that are stored without a query are not counted: they would look like hits
   * of the smallest share. But they are in the sample, since they are in the store.
   */
  private final ShadowKeys<K> shadow;
  private final Runnable shadowHit;
  private final CurveSampler sampler;
  private final Sizer<K, V> sizer;
  private final long overheadBytes;
  private final boolean counts;

  /**
   * @param shadow evicted keys; null without shadow hits
   * @param sampler of the curve; null without a curve
   * @param overheadBytes of each entry
   */
  ShareMeter(
      ShadowKeys<K> shadow,
      Runnable shadowHit,
      CurveSampler sampler,
      Sizer<K, V> sizer,
      long overheadBytes) {
    this(shadow, shadowHit, sampler, sizer, overheadBytes, true);
  }

  private ShareMeter(
      ShadowKeys<K> shadow,
      Runnable shadowHit,
      CurveSampler sampler,
      Sizer<K, V> sizer,
      long overheadBytes,
      boolean counts) {
    this.shadow = shadow;
    this.shadowHit = shadowHit;
    this.sampler = sampler;
    this.sizer = sizer;
    this.overheadBytes = overheadBytes;
    this.counts = counts;
  }

  /** The same meter for values that are stored without a query. */
  ShareMeter<K, V> unasked() {
    return new ShareMeter<>(shadow, shadowHit, sampler, sizer, overheadBytes, false);
  }

  /** Records a hit, with the size measured when the value was stored. */
  void found(K key, V value) {
    query(key, value, true);
  }

  private void query(K key, V value, boolean sizedBefore) {
    if (sampler == null) {
      return;
    }
    try {
      int hash = key.hashCode();
      if (sampler.samples(hash) && !(sizedBefore && sampler.again(hash, key))) {
        sampler.query(hash, key, sizer.bytes(key, value, overheadBytes));
      }
    } catch (Throwable e) {
      // The application's key or sizer failed: its query is answered, but not measured.
    }
  }

  /** Records a miss. */
  void missed(K key) {
    if (forget(key)) {
      shadowHit.run();
    }
  }

  /** Records that a value is stored. */
  void keeps(K key, V value) {
    forget(key);
    if (counts) {
      query(key, value, false);
    } else {
      stored(key, value);
    }
  }

  private void stored(K key, V value) {
    try {
      if (sampler != null && sampler.has(key.hashCode())) {
        sampler.stored(key.hashCode(), key, sizer.bytes(key, value, overheadBytes));
      }
    } catch (Throwable e) {
      // The application's key or sizer failed: the sample stays as it was.
    }
  }

  /**
   * Removes a key from the shadow, as a larger share would not hold it either; returns whether it
   * was there.
   */
  boolean forget(K key) {
    return shadow != null && shadow.remove(key);
  }

  /** Removes all keys from the shadow, as {@link #forget} does for one. */
  void forgetAll() {
    if (shadow != null) {
      shadow.clear();
    }
  }

  /** The present curve; null if unknown or not needed. */
  MissCurve curve() {
    return sampler == null ? null : sampler.curve();
  }
}
