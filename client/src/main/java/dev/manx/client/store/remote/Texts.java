/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import dev.manx.client.store.Codec;
import java.util.function.Consumer;

/** Converts keys to a form that servers accept. */
public final class Texts {
  /** The limit that {@link Codec#key} guarantees. */
  private static final int LONGEST_KEY = 200;

  private Texts() {}

  /**
   * The text of a key, or null if it has none that a server accepts.
   *
   * @param failed is then called with the cause; null if the codec threw nothing
   */
  public static <K> String of(Codec<K, ?> codec, K key, Consumer<Throwable> failed) {
    try {
      String text = codec.key(key);
      if (!text.isEmpty() && text.length() <= LONGEST_KEY && isPrintable(text)) {
        return text;
      }
    } catch (Throwable e) {
      failed.accept(e);
      return null;
    }
    failed.accept(null);
    return null;
  }

  private static boolean isPrintable(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) <= ' ' || text.charAt(i) > '~') {
        return false;
      }
    }
    return true;
  }
}
