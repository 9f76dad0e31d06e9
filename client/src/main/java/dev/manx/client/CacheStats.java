/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.control.LoopStats;
import dev.manx.client.invalidation.InvalidationStats;

/**
 * Counts of a cache since it was made.
 *
 * @param requests completed
 * @param withoutQueries those of them that asked no backend; they are in no percentile
 * @param givenUp those that timed out or were completed while queries were pending
 * @param capacityBytes of all shares together
 * @param loop what the control loop has done
 * @param invalidations what the servers of the application told each other
 * @param loadThreads threads of the cache that are there for loaders now
 * @param mostLoadThreads how many there can be at most
 */
public record CacheStats(
    long requests,
    long withoutQueries,
    long givenUp,
    long capacityBytes,
    LoopStats loop,
    InvalidationStats invalidations,
    int loadThreads,
    int mostLoadThreads) {}
