/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

import java.util.Objects;
import java.util.Optional;

/**
 * The specification of a store to open.
 *
 * @param backend the backend's name, unique in its cache
 * @param bytes the first share
 * @param sizer memory of an entry; required by in-process stores
 * @param codec bytes of an entry; required by remote stores
 * @param evictions receives evicted entries; used only by stores of a factory that {@linkplain
 *     StoreFactory#reportsEvictions reports evictions}
 */
public record StoreSpec<K, V>(
    String backend,
    long bytes,
    Sizer<K, V> sizer,
    Optional<Codec<K, V>> codec,
    Optional<EvictionListener<K>> evictions) {
  /** Rejects missing components. */
  public StoreSpec {
    Objects.requireNonNull(backend, "backend");
    Objects.requireNonNull(sizer, "sizer");
    Objects.requireNonNull(codec, "codec");
    Objects.requireNonNull(evictions, "evictions");
    if (bytes < 0) {
      throw new IllegalArgumentException("share of " + backend + ": " + bytes + " bytes");
    }
  }

  /** Returns a copy with an eviction listener. */
  public StoreSpec<K, V> reporting(EvictionListener<K> listener) {
    return new StoreSpec<>(backend, bytes, sizer, codec, Optional.of(listener));
  }

  /** Creates a specification without an eviction listener. */
  public StoreSpec(String backend, long bytes, Sizer<K, V> sizer, Optional<Codec<K, V>> codec) {
    this(backend, bytes, sizer, codec, Optional.empty());
  }
}
