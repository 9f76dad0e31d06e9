/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.invalidation;

import java.util.UUID;
import java.util.function.Function;

/**
 * Converts keys to text and back, to name them in messages between servers. Thread-safe. If it
 * throws at a receiver, that server removes all keys of the backend.
 */
public interface KeyText<K> {
  /** Keys that are integers. */
  KeyText<Integer> INTEGER = of(Object::toString, Integer::valueOf);

  /** Keys that are longs. */
  KeyText<Long> LONG = of(Object::toString, Long::valueOf);

  /** Keys that are text. */
  KeyText<String> STRING = of(text -> text, text -> text);

  /** Keys that are UUIDs. */
  KeyText<UUID> ID = of(UUID::toString, UUID::fromString);

  /** A key as text of at most 1,000 characters. */
  String text(K key);

  /** The key of a text. */
  K key(String text);

  /** Creates an instance from two functions. */
  static <K> KeyText<K> of(Function<K, String> text, Function<String, K> key) {
    return new KeyText<>() {
      @Override
      public String text(K of) {
        return text.apply(of);
      }

      @Override
      public K key(String of) {
        return key.apply(of);
      }
    };
  }
}
