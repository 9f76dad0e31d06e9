/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.level.LevelStats;

/**
 * Counts of one backend since it was added, and its share now.
 *
 * @param hits keys found in the cache
 * @param misses keys that the backend was needed for
 * @param absentHits keys among the hits that are known not to exist
 * @param coalesced keys among the misses that waited for another query's load
 * @param uncached keys queried past the cache; neither hits nor misses
 * @param loadFailures loads that failed
 * @param loadTimeOuts loads that timed out
 * @param refused queries refused because too many were pending
 * @param notKept values not kept because sizer, codec or expiry failed
 * @param blocked requests whose slowest query went to it
 * @param refreshes keys read again behind the caller's back; no misses, and unseen by the
 *     controller
 * @param staleAnswers keys among the misses answered with an expired value since the backend failed
 * @param broken loads not begun because the breaker was open; not among the failures
 * @param breakerOpen whether it is open now
 * @param pending queries that wait now
 * @param allocatedBytes its share
 * @param usedBytes what of it is in use, as last known
 * @param degraded whether its store is out of reach
 * @param storeFailures operations of its store that failed or were given up
 * @param level of its part of the second level
 * @param stuck threads of the cache that are in work of this backend, most often its loader, for
 *     longer than its time-out
 * @param notBegun refreshes, trials and other work given up because no thread was free within the
 *     time-out
 */
public record BackendStats(
    long hits,
    long misses,
    long absentHits,
    long coalesced,
    long uncached,
    long loadFailures,
    long loadTimeOuts,
    long refused,
    long notKept,
    long blocked,
    long refreshes,
    long staleAnswers,
    long broken,
    boolean breakerOpen,
    int pending,
    long allocatedBytes,
    long usedBytes,
    boolean degraded,
    long storeFailures,
    LevelStats level,
    int stuck,
    long notBegun) {
  /** Share of the keys answered by the cache, 0 to 1; NaN without queries. */
  public double hitRatio() {
    return hits / (double) (hits + misses);
  }
}
