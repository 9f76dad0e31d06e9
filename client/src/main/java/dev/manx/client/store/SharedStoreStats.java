/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store;

/**
 * Counters of one store that all backends of a cache share.
 *
 * @param allocatedBytes its size
 * @param usedBytes used part of it, as last known
 * @param failures its operations that failed or were given up
 * @param emptied how often a remote store has dropped all entries by itself
 * @param tooLarge values not cached because it cannot hold one of their size
 */
public record SharedStoreStats(
    long allocatedBytes, long usedBytes, long failures, long emptied, long tooLarge) {}
