/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

/**
 * Keys and values as a remote store keeps them. Any thread may call it; what it throws makes the
 * entry a miss or a value not kept.
 */
public interface Codec<K, V> {
  /** The key as text, one text per key: printable ASCII without spaces, at most 200 characters. */
  String key(K key);

  /** The value's bytes. */
  byte[] encode(V value);

  /** The value back from its bytes. */
  V decode(K key, byte[] bytes);
}
