/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.oracle;

import dev.manx.policy.spi.PolicyInfo;
import java.nio.ByteBuffer;

/**
 * {@code oracle.size-key-encoded}: reads the size from the key itself, the decimal number before
 * its first {@code _}; for experiments with such keys. Keys of another form get the small guess.
 *
 * <p>Source: Hector's {@code KeySizeOracle}.
 */
final class KeyEncodedSizeOracle implements SizeOracle {
  static final PolicyInfo POLICY =
      PolicyInfo.named(
              "oracle.size-key-encoded",
              "the number before the first _ of the key; for experiments")
          .source("Hector KeySizeOracle")
          .settings(SizeSettings.LARGE_ABOVE, SizeSettings.SMALL_GUESS)
          .make(s -> new KeyEncodedSizeOracle(s.number("large-above"), s.number("small-guess")));

  private static final int MAX_DIGITS = 18;

  private final long largeAboveBytes;
  private final long smallGuessBytes;

  /**
   * Creates an oracle without state.
   *
   * @param largeAboveBytes smallest size that counts as large
   * @param smallGuessBytes the size of a key without a number
   */
  KeyEncodedSizeOracle(long largeAboveBytes, long smallGuessBytes) {
    this.largeAboveBytes = largeAboveBytes;
    this.smallGuessBytes = smallGuessBytes;
  }

  @Override
  public long sizeBytes(ByteBuffer key, long keyHash) {
    if (key == null) {
      return smallGuessBytes;
    }
    long size = 0;
    int start = key.position();
    int end = Math.min(key.limit(), start + MAX_DIGITS + 1);
    for (int i = start; i < end; i++) {
      byte letter = key.get(i);
      if (letter == '_') {
        return i == start ? smallGuessBytes : size;
      }
      if (letter < '0' || letter > '9' || i - start >= MAX_DIGITS) {
        return smallGuessBytes;
      }
      size = size * 10 + (letter - '0');
    }
    return smallGuessBytes;
  }

  @Override
  public void learn(ByteBuffer key, long keyHash, long sizeBytes) {}

  @Override
  public long largeAboveBytes() {
    return largeAboveBytes;
  }

  @Override
  public long memoryBytes() {
    return 0;
  }

  @Override
  public double fillRatio() {
    return 0;
  }
}
