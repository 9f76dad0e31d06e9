/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.invalidation.KeyText;
import dev.manx.client.store.Codec;
import dev.manx.client.store.Sizer;
import dev.manx.client.store.Sizers;
import java.util.Objects;
import java.util.Optional;

/**
 * An application's description of one backend.
 *
 * @param name unique in its cache; letters, digits, {@code . _ -}. It appears in metrics and in the
 *     statistics that application servers exchange, so all servers must use the same name for the
 *     same backend
 * @param loader reads keys that are not cached
 * @param sizer memory of a key and its value
 * @param codec bytes of a key and its value, for remote stores
 * @param settings time-out, limits and negative caching; the cache's configuration may override
 *     them
 * @param expiry times to live of single entries
 * @param keys converts keys to text, to name them in invalidations to other servers; without it
 *     those servers remove all keys of the backend
 */
public record BackendSpec<K, V>(
    String name,
    Loader<K, V> loader,
    Sizer<K, V> sizer,
    Optional<Codec<K, V>> codec,
    Optional<BackendSettings> settings,
    Optional<Expiry<K, V>> expiry,
    Optional<KeyText<K>> keys) {
  /** Rejects missing components and an invalid name. */
  public BackendSpec {
    if (!name.matches("[A-Za-z0-9._-]{1,64}")) {
      throw new IllegalArgumentException(
          "backend '" + name + "'; allowed: 1 to 64 letters, digits, '.', '_', '-'");
    }
    Objects.requireNonNull(loader, "loader");
    Objects.requireNonNull(sizer, "sizer");
    Objects.requireNonNull(codec, "codec");
    Objects.requireNonNull(settings, "settings");
    Objects.requireNonNull(expiry, "expiry");
    Objects.requireNonNull(keys, "keys");
  }

  /** Describes a backend with the cache's default settings. */
  public static <K, V> BackendSpec<K, V> of(String name, Sizer<K, V> sizer, Loader<K, V> loader) {
    return new BackendSpec<>(
        name,
        loader,
        sizer,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** Describes a backend whose keys and values are measured by {@link Sizers#measured()}. */
  public static <K, V> BackendSpec<K, V> of(String name, Loader<K, V> loader) {
    return of(name, Sizers.measured(), loader);
  }

  /** Returns a copy with its own settings. */
  public BackendSpec<K, V> with(BackendSettings own) {
    return new BackendSpec<>(name, loader, sizer, codec, Optional.of(own), expiry, keys);
  }

  /** Returns a copy with a codec, which remote stores require. */
  public BackendSpec<K, V> with(Codec<K, V> bytes) {
    return new BackendSpec<>(name, loader, sizer, Optional.of(bytes), settings, expiry, keys);
  }

  /** Returns a copy with times to live of single entries. */
  public BackendSpec<K, V> with(Expiry<K, V> times) {
    return new BackendSpec<>(name, loader, sizer, codec, settings, Optional.of(times), keys);
  }

  /** Returns a copy with keys as text, for invalidations between servers. */
  public BackendSpec<K, V> with(KeyText<K> text) {
    return new BackendSpec<>(name, loader, sizer, codec, settings, expiry, Optional.of(text));
  }
}
