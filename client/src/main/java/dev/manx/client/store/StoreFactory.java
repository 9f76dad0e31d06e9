/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

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
}
