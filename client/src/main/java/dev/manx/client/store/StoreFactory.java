/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

import java.time.Duration;

/** Opens one store per backend: determines where a cache is stored. Thread-safe. */
@FunctionalInterface
public interface StoreFactory {
  /**
   * Opens a store. A remote store opens in degraded state if its server is unreachable.
   *
   * @throws IllegalArgumentException if the specification does not suit this kind of store
   */
  <K, V> Store<K, V> open(StoreSpec<K, V> spec);

  /**
   * Whether its stores report their evictions to {@link StoreSpec#evictions}. Remote stores cannot.
   */
  default boolean reportsEvictions() {
    return false;
  }

  /** Maximum time that its stores keep an entry after its last put; zero: until eviction. */
  default Duration timeToLive() {
    return Duration.ZERO;
  }
}
