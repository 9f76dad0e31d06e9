/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.reactor;

import dev.manx.client.Loader;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Loaders that read with {@code Mono} or {@code Flux}. They have the context of the subscriber to
 * the {@link ReactiveRequest} query that began the load; other loads, such as background refreshes,
 * have none.
 *
 * <p>With Micrometer's context-propagation on the class path, values that its accessors read on the
 * loader's calling thread override that context: a carrier may have set them for the load.
 *
 * <p>Neither a subscriber's cancellation nor the backend's time-out cancels a load that other
 * queries may wait for: a late answer still fills the cache. Use {@code timeout} in the loader to
 * end it.
 */
public final class ReactiveLoader {
  private ReactiveLoader() {}

  /**
   * Creates a loader that reads all keys as one map.
   *
   * @param read called with at least one key; an empty result means that none of them exists
   */
  public static <K, V> Loader<K, V> ofMono(
      Function<? super List<K>, ? extends Mono<Map<K, V>>> read) {
    return keys -> answer(read.apply(keys).defaultIfEmpty(Map.of()));
  }

  /**
   * Creates a loader that reads values one after the other.
   *
   * @param read called with at least one key; keys without a value do not exist
   * @param keyOf the key of a value
   */
  public static <K, V> Loader<K, V> ofFlux(
      Function<? super List<K>, ? extends Flux<V>> read, Function<? super V, ? extends K> keyOf) {
    return keys -> answer(read.apply(keys).collectMap(keyOf));
  }

  private static <T> CompletableFuture<T> answer(Mono<T> read) {
    ContextView carried = ContextViewCarrier.here();
    return read.contextWrite(captured -> Context.of(carried).putAll(captured.readOnly()))
        .contextCapture()
        .toFuture();
  }
}
