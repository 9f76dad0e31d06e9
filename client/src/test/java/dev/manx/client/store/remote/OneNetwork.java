/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import dev.manx.client.Backend;
import dev.manx.client.BackendSettings;
import dev.manx.client.BackendSpec;
import dev.manx.client.FanoutCache;
import dev.manx.client.Freshness;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreSpec;
import dev.manx.policy.config.ConfigNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A cache with remote stores: one network thread answers for all of them. */
final class OneNetwork implements AutoCloseable {
  static final String NETWORK = "network";

  private final ExecutorService network =
      Executors.newSingleThreadExecutor(work -> new Thread(work, NETWORK));
  private final CountDownLatch open = new CountDownLatch(1);
  final FanoutCache cache;

  /**
   * @param timeout of the stores
   */
  OneNetwork(String policy, Duration timeout) {
    cache =
        FanoutCache.builder()
            .configure(ConfigNode.parse("settings", "{ capacity: 1MiB, policy: " + policy + " }"))
            .stores(
                new StoreFactory() {
                  @Override
                  public <K, V> Store<K, V> open(StoreSpec<K, V> spec) {
                    FakeLink link = new FakeLink();
                    link.answersOn(network);
                    return RemoteStore.open(
                        spec, link, RemoteSettings.standard().withTimeout(timeout));
                  }
                })
            .drivenByHost()
            .open();
  }

  Backend<Integer, String> add(String name, Hanging codec) {
    return add(name, codec, 10_000);
  }

  Backend<Integer, String> add(String name, Hanging codec, int maxPending) {
    return add(name, codec, maxPending, Freshness.FOREVER);
  }

  /** Loads are answered at once. */
  Backend<Integer, String> add(String name, Hanging codec, int maxPending, Freshness freshness) {
    BackendSettings like = BackendSettings.DEFAULTS;
    return cache.add(
        BackendSpec.<Integer, String>of(
                name, (key, value) -> 100, keys -> CompletableFuture.completedFuture(loaded(keys)))
            .with(codec)
            .with(
                new BackendSettings(
                        Duration.ofMinutes(10),
                        maxPending,
                        like.rememberAbsent(),
                        like.absentEntries(),
                        like.floorBytes())
                    .withFreshness(freshness)));
  }

  private static Map<Integer, String> loaded(List<Integer> keys) {
    Map<Integer, String> values = new HashMap<>();
    keys.forEach(key -> values.put(key, key < 0 ? "too deep" : "loaded"));
    return values;
  }

  static void put(Backend<Integer, String> backend, int key, String value) throws Exception {
    backend.put(key, value).toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  CompletableFuture<String> ask(Backend<Integer, String> backend, int key) {
    return cache.request().queryOne(backend, key);
  }

  static CompletableFuture<String> look(Backend<Integer, String> backend, int key) {
    return backend.getIfPresent(key).toCompletableFuture();
  }

  /** Holds all answers back until {@link #answer}. */
  void hold() {
    network.execute(
        () -> {
          try {
            open.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  void answer() {
    open.countDown();
  }

  @Override
  public void close() {
    open.countDown();
    cache.close();
    network.shutdown();
  }
}
