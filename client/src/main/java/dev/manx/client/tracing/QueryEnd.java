/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.tracing;

/**
 * How a query has ended.
 *
 * @param cached whether it went through the cache
 * @param hits keys that the cache answered, as absent too
 * @param misses keys that needed the backend; of a rejected query, all that it did not find in this
 *     process's store
 * @param found keys with a value in the answer
 * @param stale those of them with an expired value, because the backend failed
 * @param failed keys without an answer
 * @param failure why a key, or the whole query, has none; else null
 */
public record QueryEnd(
    boolean cached, int hits, int misses, int found, int stale, int failed, Throwable failure) {}
