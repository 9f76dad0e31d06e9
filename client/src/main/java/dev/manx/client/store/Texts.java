/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Consumer;

/** Converts keys to a form that servers accept. */
public final class Texts {
  /** The limit that {@link Codec#key} guarantees. */
  private static final int LONGEST_KEY = 200;

  /** Length of the end of a shortened text: a separator and a digest. */
  private static final int END = 1 + 64;

  private Texts() {}

  /**
   * The text of a key to look up or to store, or null if servers do not accept its text.
   *
   * @param failed is then called with the cause; null if the codec did not throw
   */
  public static <K> String of(Codec<K, ?> codec, K key, Consumer<Throwable> failed) {
    Throwable why = null;
    try {
      String text = accepted(codec, key);
      if (text != null) {
        return text;
      }
    } catch (Throwable e) {
      why = e;
    }
    failed.accept(why);
    return null;
  }

  /**
   * The text of a key to remove. Throws what the codec throws: it may have had a text for the key
   * before, under which a value is stored.
   *
   * @return null if servers do not accept its text, so that the key was never stored
   */
  public static <K> String accepted(Codec<K, ?> codec, K key) {
    String text = codec.key(key);
    return isAccepted(text) ? text : null;
  }

  /** Whether servers accept a text as a key. */
  public static boolean isAccepted(String text) {
    return text != null && !text.isEmpty() && text.length() <= LONGEST_KEY && isPrintable(text);
  }

  /** A text of at most as many characters as the text of a key may have. */
  static String shortened(String text) {
    return shortened(text, LONGEST_KEY);
  }

  /**
   * A text of acceptable length: if the given one is too long, its end is replaced by its digest.
   * Other texts have other results, because only shorter texts are kept.
   *
   * @param longest length of a shortened text, more than 65
   */
  public static String shortened(String text, int longest) {
    if (text.length() < longest) {
      return text;
    }
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return text.substring(0, longest - END) + '#' + HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
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
