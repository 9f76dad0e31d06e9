/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.tracing;

/**
 * The result of a query.
 *
 * @param cached whether it used the cache
 * @param hits keys answered by the cache, including absent ones
 * @param misses keys that required the backend; for a rejected query, all keys not found in the
 *     local store
 * @param found keys with a value in the answer
 * @param stale keys with an expired value, because the backend failed
 * @param failed keys without an answer
 * @param failure why a key, or the whole query, has no answer; else null
 */
public record QueryEnd(
    boolean cached, int hits, int misses, int found, int stale, int failed, Throwable failure) {}
