/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.level;

/**
 * Counters of one backend's part of a second level.
 *
 * @param hits keys found there
 * @param misses keys not found there, or not in time
 * @param fills values stored
 * @param refused values not stored: invalidated in the meantime, or loaded by another server
 * @param failures operations and values that failed or were given up
 * @param unconfirmed keys whose invalidation is not yet confirmed
 */
public record LevelStats(
    long hits, long misses, long fills, long refused, long failures, long unconfirmed) {
  /** Without a second level. */
  public static final LevelStats NONE = new LevelStats(0, 0, 0, 0, 0, 0);
}
