/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Requests, queries and loaders for applications on Project Reactor.
 *
 * <pre>{@code
 * Mono<Page> page =
 *     ReactiveRequest.of(
 *         cache,
 *         request ->
 *             Mono.zip(
 *                 request.query(songs, ids),
 *                 request.queryOne(users, name).defaultIfEmpty("A guest"),
 *                 Page::new));
 * }</pre>
 */
package dev.manx.client.reactor;
