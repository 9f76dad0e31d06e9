/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.cache;

/**
 * One backend behind the caches.
 *
 * @param name in results
 * @param batchMean queries of a request to it, mean of a geometric distribution
 * @param objects how many it has
 * @param zipfExponent of their popularity
 * @param serviceMeanNanos of a query at full capacity without others
 * @param missesPerSecond that it is built for, per application server
 * @param chance that a request queries it, beside what the classes of requests say
 */
public record BackendModel(
    String name,
    double batchMean,
    int objects,
    double zipfExponent,
    double serviceMeanNanos,
    double missesPerSecond,
    double chance) {}
