/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.level.LevelStats;

/**
 * Counters of one backend since it was added, and its present share. If one store serves all
 * backends, as with {@code cache.shared}, its sizes and counters are those of the whole store for
 * each of them: do not add them up, but use {@link FanoutCache#sharedStore()}.
 *
 * @param hits keys found in the cache
 * @param misses keys that required the backend
 * @param absentHits hits for keys known not to exist
 * @param coalesced misses that waited for another query's load
 * @param uncached keys queried with the cache bypassed; neither hits nor misses
 * @param loadFailures loads that failed
 * @param loadTimeOuts loads that timed out
 * @param refused queries rejected because too many were pending
 * @param notKept values not cached because sizer, codec or expiry failed
 * @param tooLarge values not cached because the backend's share, or its server, cannot hold one of
 *     their size
 * @param blocked requests whose slowest query went to this backend
 * @param refreshes keys refreshed in the background; not misses, and not visible to the controller
 * @param staleAnswers misses answered with an expired value because the backend failed
 * @param broken loads not begun because the breaker was open; not counted as failures
 * @param breakerOpen whether the breaker is open now
 * @param pending queries waiting now
 * @param allocatedBytes its share
 * @param usedBytes used part of the share, as last known
 * @param degraded whether its store is unreachable
 * @param storeFailures operations of its store that failed or were given up
 * @param storeEmptied how often its remote store has dropped all entries by itself
 * @param level counters of its part of the second level
 * @param stuck threads of the cache that have worked for this backend, usually in its loader, for
 *     longer than its time-out
 * @param notBegun refreshes, trials and other tasks dropped because no thread was free within the
 *     time-out
 * @param lookUpFailures the part of {@code storeFailures} that arose for this backend outside its
 *     store, such as a failing hashCode of a key
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
    long tooLarge,
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
    long storeEmptied,
    LevelStats level,
    int stuck,
    long notBegun,
    long lookUpFailures) {
  /** Fraction of keys answered by the cache, 0 to 1; NaN without queries. */
  public double hitRatio() {
    return hits / (double) (hits + misses);
  }
}
