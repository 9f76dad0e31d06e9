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

  /** The length of a shortened text is the sum of these two; texts that are shorter are kept. */
  private static final int DIGEST = 64;

  private static final int KEPT = LONGEST_KEY - DIGEST;

  private Texts() {}

  /**
   * The text of a key, or null if it has none that a server accepts.
   *
   * @param failed is then called with the cause; null if the codec threw nothing
   */
  public static <K> String of(Codec<K, ?> codec, K key, Consumer<Throwable> failed) {
    try {
      String text = codec.key(key);
      if (isAccepted(text)) {
        return text;
      }
    } catch (Throwable e) {
      failed.accept(e);
      return null;
    }
    failed.accept(null);
    return null;
  }

  /** Whether servers accept a text as a key. */
  public static boolean isAccepted(String text) {
    return !text.isEmpty() && text.length() <= LONGEST_KEY && isPrintable(text);
  }

  /**
   * A text that is short enough, of one that may be too long: its end is replaced by its digest. No
   * other text has the same result.
   */
  public static String shortened(String text) {
    if (text.length() < KEPT + DIGEST) {
      return text;
    }
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return text.substring(0, KEPT - 1) + '#' + HexFormat.of().formatHex(digest);
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
