/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.examples;

import dev.manx.client.Backend;
import dev.manx.client.BackendSpec;
import dev.manx.client.FanoutCache;
import dev.manx.client.FanoutRequest;
import dev.manx.client.Loader;
import dev.manx.client.LoaderPool;
import dev.manx.client.QueryResults;
import dev.manx.client.store.Sizers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The guide's page of many backends: a backend that is late or fails leaves only a gap. */
public final class ManyBackends implements AutoCloseable {
  // many backends
  private final FanoutCache cache = FanoutCache.builder().capacity(256 << 20).open();
  private final LoaderPool pool = LoaderPool.ofThreads(64); // or ofVirtualThreads(64)
  private final Map<String, Backend<Integer, String>> backends = new LinkedHashMap<>();

  /** The services block; each gets at most 8 concurrent calls, and 1,000 may wait. */
  public ManyBackends(Map<String, Loader.Blocking<Integer, String>> services) {
    services.forEach(
        (name, service) ->
            backends.put(
                name,
                cache.add(
                    BackendSpec.of(
                        name,
                        Sizers.of(Sizers::number, Sizers::text),
                        pool.loader(8, 1_000, service)))));
  }

  /** The text of each backend for some products, or a substitute if it is late or fails. */
  public Map<String, Map<Integer, String>> page(List<Integer> ids, Duration deadline) {
    try (FanoutRequest request = cache.request(deadline)) {
      Map<String, CompletableFuture<QueryResults<Integer, String>>> asked = new LinkedHashMap<>();
      backends.forEach((name, backend) -> asked.put(name, request.queryEach(backend, ids)));
      Map<String, Map<Integer, String>> page = new LinkedHashMap<>();
      asked.forEach((name, part) -> page.put(name, part.join().or((id, why) -> "not available")));
      return page;
    }
  }

  @Override
  public void close() {
    cache.close();
    pool.close();
  }
  // end
}
