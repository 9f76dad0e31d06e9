/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

import java.util.Objects;
import java.util.Optional;

/**
 * What a store is opened for.
 *
 * @param backend the backend's name, unique in its cache
 * @param bytes the first share
 * @param sizer memory of an entry; in-process stores need it
 * @param codec bytes of an entry; remote stores need it and refuse to open without
 * @param evictions receives evicted entries; only stores of a factory that {@linkplain
 *     StoreFactory#tellsEvictions reports evictions} use it
 */
public record StoreSpec<K, V>(
    String backend,
    long bytes,
    Sizer<K, V> sizer,
    Optional<Codec<K, V>> codec,
    Optional<EvictionListener<K>> evictions) {
  /** Checks that nothing is missing. */
  public StoreSpec {
    Objects.requireNonNull(backend, "backend");
    Objects.requireNonNull(sizer, "sizer");
    Objects.requireNonNull(codec, "codec");
    Objects.requireNonNull(evictions, "evictions");
    if (bytes < 0) {
      throw new IllegalArgumentException("share of " + backend + ": " + bytes + " bytes");
    }
  }

  /** The same, with an eviction listener. */
  public StoreSpec<K, V> telling(EvictionListener<K> listener) {
    return new StoreSpec<>(backend, bytes, sizer, codec, Optional.of(listener));
  }

  /** Without an eviction listener. */
  public StoreSpec(String backend, long bytes, Sizer<K, V> sizer, Optional<Codec<K, V>> codec) {
    this(backend, bytes, sizer, codec, Optional.empty());
  }
}
