/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.cache;

/**
 * A backend behind the caches.
 *
 * @param name in results
 * @param batchMean queries of a request to it, mean of a geometric distribution
 * @param objects number of objects
 * @param zipfExponent of their popularity
 * @param serviceMeanNanos mean service time of a query at full capacity
 * @param missesPerSecond rate for which it is dimensioned, per application server
 * @param chance probability that a request queries it, in addition to the classes of requests
 */
public record BackendModel(
    String name,
    double batchMean,
    int objects,
    double zipfExponent,
    double serviceMeanNanos,
    double missesPerSecond,
    double chance) {}
