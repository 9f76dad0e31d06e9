/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import dev.manx.client.store.Codec;
import dev.manx.client.store.Texts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The application's codec: an exception is reported, and affects only one entry. Thread-safe. */
final class Coding<K, V> {
  private static final String NO_TEXT = "has no text for a key that a server accepts";

  private final Codec<K, V> codec;
  private final Failed failed;

  /** Is notified of each key and value that the codec failed on. */
  interface Failed {
    /**
     * The codec failed.
     *
     * @param what the failure, as the end of a sentence
     * @param why null if it did not throw
     */
    void at(String what, Throwable why);
  }

  Coding(Codec<K, V> codec, Failed failed) {
    this.codec = codec;
    this.failed = failed;
  }

  /** The text of a key, or null if servers do not accept it. */
  String text(K key) {
    return Texts.of(codec, key, why -> failed.at(NO_TEXT, why));
  }

  /** The texts of the keys that have an acceptable text. */
  List<String> texts(Collection<? extends K> keys) {
    return keys.stream().<String>map(this::text).filter(Objects::nonNull).toList();
  }

  /**
   * The texts of the keys that may have been stored; null if the codec threw for a key, which may
   * have had a text before.
   */
  List<String> storedTexts(Collection<? extends K> keys) {
    List<String> texts = new ArrayList<>(keys.size());
    for (K key : keys) {
      String text;
      try {
        text = Texts.accepted(codec, key);
      } catch (Throwable e) {
        failed.at(NO_TEXT, e);
        return null;
      }
      if (text == null) {
        failed.at(NO_TEXT, null);
      } else {
        texts.add(text);
      }
    }
    return texts;
  }

  /** A value's bytes, or null if the codec failed. */
  byte[] encode(V value) {
    try {
      return codec.encode(value);
    } catch (Throwable e) {
      failed.at("cannot write a value", e);
      return null;
    }
  }

  /**
   * The decodable values, by key.
   *
   * @param keys by their names at the server
   * @param encoded bytes by those names; others are ignored
   */
  Map<K, V> decode(Map<String, K> keys, Map<String, byte[]> encoded) {
    Map<K, V> values = new HashMap<>();
    encoded.forEach(
        (name, bytes) -> {
          K key = keys.get(name);
          try {
            V value = key == null ? null : codec.decode(key, bytes);
            if (value != null) {
              values.put(key, value);
            }
          } catch (Throwable e) {
            // Too deep an object, or a missing class: the other values are answered.
            failed.at("cannot read a value", e);
          }
        });
    return values;
  }
}
