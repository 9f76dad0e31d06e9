/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cluster;

/**
 * Limits of each data node's use of a real disk and of the page cache in front of it.
 *
 * @param pageCacheBytes page cache for its files
 * @param readsPerSecond limit of reads from the disk
 * @param cores that it may use; 0 for all
 */
public record StorageLimits(long pageCacheBytes, long readsPerSecond, double cores) {}
