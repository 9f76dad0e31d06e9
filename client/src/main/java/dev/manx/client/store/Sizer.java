/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

/** How much memory an entry takes, without the store's own overhead. Any thread may call it. */
@FunctionalInterface
public interface Sizer<K, V> {
  /** Bytes of key and value, at least 0. It must not change while the entry is in a store. */
  long bytes(K key, V value);

  /**
   * Its answer and so much more; {@code Long.MAX_VALUE} if the sum is greater than that.
   *
   * @throws IllegalArgumentException if it answers less than 0
   */
  default long bytes(K key, V value, long more) {
    long bytes = bytes(key, value);
    if (bytes < 0) {
      throw new IllegalArgumentException("the sizer answered " + bytes + " bytes");
    }
    return bytes > Long.MAX_VALUE - more ? Long.MAX_VALUE : bytes + more;
  }
}
