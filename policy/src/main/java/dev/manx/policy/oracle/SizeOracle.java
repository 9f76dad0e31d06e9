/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.oracle;

import java.nio.ByteBuffer;

/**
 * Guesses the size of a key's value, learning from what passes by, in bounded memory.
 *
 * <p>Threads: request threads ask, response and read threads teach, all at once; no call allocates,
 * locks or blocks.
 */
public interface SizeOracle {
  /**
   * The guess in bytes; an unknown key gets the guess of the commonest class.
   *
   * @param key the key's bytes, absolute gets only, or null
   * @param keyHash well-mixed 64-bit hash of table and key
   */
  long sizeBytes(ByteBuffer key, long keyHash);

  /**
   * The largest guess that it gives for any key at present; {@code Long.MAX_VALUE} if it does not
   * know. Asked by the timer, after {@link #tick}.
   */
  default long mostBytes() {
    return Long.MAX_VALUE;
  }

  /** Learns that a key's value had this size. */
  void learn(ByteBuffer key, long keyHash, long sizeBytes);

  /** The strategy's timer, for oracles that forget with time; one thread, never two at once. */
  default void tick(long nowNanos) {}

  /** Sizes from this on count as large. Never changes: asked once, when the strategy is made. */
  long largeAboveBytes();

  /** Memory held, in bytes; never more than the setting. Asked once, when the strategy is made. */
  long memoryBytes();

  /**
   * How full the memory is, 0 to 1; near 1 its guesses are worth little. Asked by the timer, after
   * {@link #tick}.
   */
  double fillRatio();
}
