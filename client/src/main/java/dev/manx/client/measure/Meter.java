/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.measure;

import dev.manx.client.store.Sizer;
import dev.manx.shares.MissCurve;

/**
 * Measures one share: what is found and kept there makes the miss curve, what is not found there
 * the shadow hits. Any thread calls it, and it never fails.
 */
final class Meter<K, V> {
  /* The curve is of queries that a share could answer, each told once: found, or kept after a miss.
   * Queries that wait for another's load, fail or ask for what does not exist are none. */
  private final ShadowKeys<K> shadow;
  private final Runnable shadowHit;
  private final CurveSampler sampler;
  private final Sizer<K, V> sizer;
  private final long overheadBytes;

  /**
   * @param shadow keys that fell out; null if shadow hits are not wanted
   * @param sampler of the curve; null if it is not wanted
   * @param overheadBytes of each entry
   */
  Meter(
      ShadowKeys<K> shadow,
      Runnable shadowHit,
      CurveSampler sampler,
      Sizer<K, V> sizer,
      long overheadBytes) {
    this.shadow = shadow;
    this.shadowHit = shadowHit;
    this.sampler = sampler;
    this.sizer = sizer;
    this.overheadBytes = overheadBytes;
  }

  /** The share had a value. */
  void found(K key, V value) {
    if (sampler == null) {
      return;
    }
    try {
      if (sampler.samples(key.hashCode())) {
        sampler.query(key.hashCode(), sizer.bytes(key, value, overheadBytes));
      }
    } catch (Throwable e) {
      // The application's key or sizer failed: its query is answered, and not measured.
    }
  }

  /** The share did not have a key. */
  void missed(K key) {
    if (forget(key)) {
      shadowHit.run();
    }
  }

  /** The share is given a value. */
  void keeps(K key, V value) {
    forget(key);
    found(key, value);
  }

  /** A key is no longer one that the share would have, had it more space: whether it was. */
  boolean forget(K key) {
    return shadow != null && shadow.remove(key);
  }

  /** The curve as known by now; null if nothing is known or it is not wanted. */
  MissCurve curve() {
    return sampler == null ? null : sampler.curve();
  }
}
