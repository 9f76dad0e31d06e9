/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Backend;
import dev.manx.client.BackendSpec;
import dev.manx.client.FanoutCache;
import dev.manx.client.FanoutRequest;
import dev.manx.client.Loader;
import dev.manx.client.store.remote.RemoteSettings;
import dev.manx.client.testkit.LevelContract;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A host on which no server answers. */
class RedisSilentTest {
  private static final int BACKENDS = 40;

  /** To connect to each would take at least two seconds, twice the time-out of this test. */
  @Test
  @Timeout(60)
  void anApplicationWithManySharesThereStarts() throws Exception {
    Loader<Integer, String> loader =
        keys -> CompletableFuture.completedFuture(Map.of(keys.get(0), "loaded"));
    try (ServerSocket silent = new ServerSocket(0, 500, InetAddress.getByName("127.0.0.1"));
        FanoutCache cache =
            FanoutCache.builder()
                .capacity(1L << 30)
                .stores(
                    RedisStore.factory(
                        name -> URI.create("redis://127.0.0.1:" + silent.getLocalPort()),
                        RemoteSettings.standard(),
                        RedisStore.Eviction.LRU))
                .drivenByHost()
                .open()) {
      List<Backend<Integer, String>> backends = new ArrayList<>();
      for (int i = 0; i < BACKENDS; i++) {
        backends.add(
            cache.add(
                BackendSpec.<Integer, String>of("b" + i, (key, value) -> 100, loader)
                    .with(LevelContract.TEXT)));
      }
      try (FanoutRequest request = cache.request()) {
        for (Backend<Integer, String> backend : backends) {
          assertThat(request.queryOne(backend, 1).join()).isEqualTo("loaded");
        }
      }
      assertThat(backends).allMatch(backend -> backend.stats().degraded());
    }
  }
}
