/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.reactor;

import dev.manx.client.Backend;
import dev.manx.client.FanoutCache;
import dev.manx.client.FanoutRequest;
import dev.manx.client.QueryResults;
import dev.manx.client.tracing.Scope;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * One fan-out request whose queries are {@code Mono}s. Queries start only on subscription, each
 * subscription repeats the query, and no method blocks. Thread-safe.
 *
 * <p>Values and errors arrive on the thread on which the loader answered, or on a thread of the
 * cache: use {@code publishOn} for blocking work. The subscriber's context reaches the loaders of
 * {@link ReactiveLoader}.
 */
public final class ReactiveRequest {
  private final FanoutRequest request;

  private ReactiveRequest(FanoutRequest request) {
    this.request = request;
  }

  /**
   * A request as a {@code Mono}: each subscription opens one. It is completed when the {@code Mono}
   * of its work has a value, is empty, fails or is cancelled, before the subscriber is notified.
   *
   * @param work makes the queries and joins their answers; later queries fail
   */
  public static <T> Mono<T> of(
      FanoutCache cache, Function<? super ReactiveRequest, ? extends Mono<? extends T>> work) {
    return using(cache::request, work);
  }

  /**
   * A request with its own deadline in place of the cache's request time-out.
   *
   * @param deadline from the subscription, 1 ms to 1 h
   */
  public static <T> Mono<T> of(
      FanoutCache cache,
      Duration deadline,
      Function<? super ReactiveRequest, ? extends Mono<? extends T>> work) {
    return using(() -> cache.request(deadline), work);
  }

  private static <T> Mono<T> using(
      Callable<FanoutRequest> open,
      Function<? super ReactiveRequest, ? extends Mono<? extends T>> work) {
    return Mono.using(
        () -> new ReactiveRequest(open.call()), work, opened -> opened.request.complete());
  }

  /** Values by key; keys that do not exist are omitted. As {@link FanoutRequest#query}. */
  public <K, V> Mono<Map<K, V>> query(Backend<K, V> backend, Collection<? extends K> keys) {
    return ask(() -> request.query(backend, keys));
  }

  /**
   * The value of one key; empty if it does not exist, which would also end a {@code zip}: {@code
   * defaultIfEmpty} gives it a value. As {@link FanoutRequest#queryOne}.
   */
  public <K, V> Mono<V> queryOne(Backend<K, V> backend, K key) {
    return ask(() -> request.queryOne(backend, key));
  }

  /** Values and failures by key. As {@link FanoutRequest#queryEach}. */
  public <K, V> Mono<QueryResults<K, V>> queryEach(
      Backend<K, V> backend, Collection<? extends K> keys) {
    return ask(() -> request.queryEach(backend, keys));
  }

  /** Values by key, with the cache bypassed. As {@link FanoutRequest#queryUncached}. */
  public <K, V> Mono<Map<K, V>> queryUncached(Backend<K, V> backend, Collection<? extends K> keys) {
    return ask(() -> request.queryUncached(backend, keys));
  }

  private static <T> Mono<T> ask(Supplier<CompletableFuture<T>> query) {
    return Mono.deferContextual(context -> Mono.fromFuture(within(context, query)));
  }

  private static <T> CompletableFuture<T> within(
      ContextView context, Supplier<CompletableFuture<T>> query) {
    Scope scope = ContextViewCarrier.enter(context);
    try {
      return query.get();
    } finally {
      scope.close();
    }
  }
}
