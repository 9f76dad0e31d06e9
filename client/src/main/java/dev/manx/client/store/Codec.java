/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

/**
 * Encodes keys and values for a remote store. Thread-safe. If it throws, the entry is a miss or is
 * not stored; if it throws for a key that is invalidated or put, all keys of its backend are
 * removed.
 */
public interface Codec<K, V> {
  /**
   * The key as text, one text per key: printable ASCII without spaces, at most 200 characters. A
   * key with another text is never stored.
   */
  String key(K key);

  /** Encodes a value. */
  byte[] encode(V value);

  /** Decodes a value; null makes its key a miss. */
  V decode(K key, byte[] bytes);
}
