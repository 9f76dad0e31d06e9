/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.level;

/**
 * Counters of one backend's part of a second level.
 *
 * @param hits keys of queries found there, without those of refreshes
 * @param misses keys of queries not found there, or not in time
 * @param fills values stored
 * @param refused values not stored: invalidated in the meantime, or loaded by another server
 * @param tooLarge values not stored because they exceed the level's {@code largest-value}
 * @param failures operations and values that failed or were given up
 * @param unconfirmed keys whose invalidation is not yet confirmed
 */
public record LevelStats(
    long hits,
    long misses,
    long fills,
    long refused,
    long tooLarge,
    long failures,
    long unconfirmed) {
  /** The counters of a cache without a second level. */
  public static final LevelStats NONE = new LevelStats(0, 0, 0, 0, 0, 0, 0);
}
