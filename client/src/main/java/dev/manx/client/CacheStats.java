/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.control.LoopStats;
import dev.manx.client.invalidation.InvalidationStats;

/**
 * Counters of a cache since it was created.
 *
 * @param requests completed requests
 * @param withoutQueries completed requests without a query; excluded from all percentiles
 * @param rejected completed requests whose queries were all rejected because too many were pending;
 *     {@link FanoutRequest#queryEach} still answered the keys that were cached; excluded from all
 *     percentiles
 * @param givenUp requests that timed out or were completed while queries were pending
 * @param capacityBytes total size of all shares
 * @param loop results of the control loop
 * @param invalidations invalidations exchanged between the servers of the application
 * @param loadThreads present number of the cache's threads for loaders
 * @param mostLoadThreads maximum number of those threads
 */
public record CacheStats(
    long requests,
    long withoutQueries,
    long rejected,
    long givenUp,
    long capacityBytes,
    LoopStats loop,
    InvalidationStats invalidations,
    int loadThreads,
    int mostLoadThreads) {}
