/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.oracle;

import java.nio.ByteBuffer;

/**
 * Guesses the size of a key's value, learning from observed reads, in bounded memory.
 *
 * <p>Threads: request threads query while response and read threads report sizes; no call
 * allocates, locks or blocks.
 */
public interface SizeOracle {
  /**
   * A larger guess counts as this one and a negative guess as 0, so that sums over a request never
   * overflow.
   */
  long MOST_BYTES = 1L << 40;

  /**
   * The guess in bytes; an unknown key gets the guess of the most common class.
   *
   * @param key the key's bytes, absolute gets only, or null
   * @param keyHash well-mixed 64-bit hash of table and key
   */
  long sizeBytes(ByteBuffer key, long keyHash);

  /**
   * The largest present guess for any key; {@code Long.MAX_VALUE} if unknown. Read by the timer,
   * after {@link #tick}.
   */
  default long mostBytes() {
    return Long.MAX_VALUE;
  }

  /** Learns the size of a key's value. */
  void learn(ByteBuffer key, long keyHash, long sizeBytes);

  /**
   * Whether this oracle needs the keys of sizes that are not large. If not, the host may pass a
   * null key and any hash with such a size, and need not evaluate the key. Never changes: read
   * once, when the strategy is made.
   */
  default boolean needsKeysOfSmall() {
    return true;
  }

  /**
   * Called by the strategy's timer, for oracles that forget with time; one thread, never
   * concurrently.
   */
  default void tick(long nowNanos) {}

  /** Smallest size that counts as large. Never changes: read once, when the strategy is made. */
  long largeAboveBytes();

  /** Memory held, in bytes; never more than the setting. Read once, when the strategy is made. */
  long memoryBytes();

  /**
   * How full the memory is, 0 to 1; near 1 the guesses are poor. Read by the timer, after {@link
   * #tick}.
   */
  double fillRatio();
}
