/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.oracle;

/**
 * Estimates how often a key is read, from observed accesses, in bounded memory and with aging.
 *
 * <p>Threads: request threads count and query concurrently; one timer ticks. {@link #count}
 * allocates nothing and takes no lock.
 */
public interface PopularityOracle {
  /**
   * Counts an access of a key.
   *
   * @param keyHash well-mixed 64-bit hash of table and key
   * @return the key's aged count with this access, at least 1; if it is not known exactly, the
   *     accesses that are certain
   */
  long count(long keyHash);

  /** The aged count of all accesses. */
  long total();

  /** Ages the counts if due. */
  void tick();

  /** Memory held, in bytes; never more than the setting. Read once, when the strategy is made. */
  long memoryBytes();
}
