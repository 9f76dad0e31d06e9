/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

import java.time.Duration;

/** Opens one store per backend: the choice of where a cache lives. Any thread may call it. */
@FunctionalInterface
public interface StoreFactory {
  /**
   * Opens a store. A remote store that cannot be reached opens all the same, degraded.
   *
   * @throws IllegalArgumentException if the specification does not suit this kind of store
   */
  <K, V> Store<K, V> open(StoreSpec<K, V> spec);

  /**
   * Whether its stores report their evictions to {@link StoreSpec#evictions}. Remote stores cannot.
   */
  default boolean tellsEvictions() {
    return false;
  }

  /** How long its stores keep an entry at most after its last put; zero: until it is evicted. */
  default Duration timeToLive() {
    return Duration.ZERO;
  }
}
