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
 * Loaders that read by {@code Mono} or {@code Flux}. They have the context of the subscriber to the
 * {@link ReactiveRequest} query that began the load; a load that was not begun by one, as a refresh
 * ahead of time, has none of it.
 *
 * <p>With Micrometer's context-propagation on the class path, what its accessors read on the thread
 * that calls the loader comes before that context: a carrier may have set it there for the load.
 *
 * <p>A load that others may wait for is not cancelled, neither with a subscriber nor by the
 * backend's time-out: what comes late still fills the cache. Use {@code timeout} in the loader to
 * end it.
 */
public final class ReactiveLoader {
  private ReactiveLoader() {}

  /**
   * A loader that reads all keys as one map.
   *
   * @param read called with at least one key; an empty answer means that none of them exists
   */
  public static <K, V> Loader<K, V> ofMono(
      Function<? super List<K>, ? extends Mono<Map<K, V>>> read) {
    return keys -> answer(read.apply(keys).defaultIfEmpty(Map.of()));
  }

  /**
   * A loader that reads values one after the other.
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
