/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import java.time.Duration;

/** The time to live of single entries. Any thread may call it. */
@FunctionalInterface
public interface Expiry<K, V> {
  /**
   * For how long this value is true.
   *
   * @return null: as the backend's settings say; zero: not kept; a hundred years or more: the value
   *     does not expire. What it throws makes the value one that is not kept
   */
  Duration timeToLive(K key, V value);
}
