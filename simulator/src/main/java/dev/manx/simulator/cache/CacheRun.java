/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.cache;

import dev.manx.shares.CacheStrategy;
import java.util.List;
import java.util.Map;

/**
 * A run: all inputs that determine its result.
 *
 * @param model at full size
 * @param trace trace played instead of drawn requests, or null
 * @param scenario uncompressed
 * @param scale of cache, objects and durations; 1 for full size
 * @param strategy at full size
 * @param initial shares of full size by backend, or null for equal ones
 * @param slos goals
 * @param seed of everything random
 * @param watched backends whose shares and blocking counts go into the timeline
 * @param pointEverySeconds interval of timeline points, uncompressed; 0 for no timeline
 */
public record CacheRun(
    CacheModel model,
    TraceQueries trace,
    Scenario scenario,
    double scale,
    CacheStrategy strategy,
    Map<String, Double> initial,
    List<Slo> slos,
    long seed,
    List<String> watched,
    double pointEverySeconds) {}
