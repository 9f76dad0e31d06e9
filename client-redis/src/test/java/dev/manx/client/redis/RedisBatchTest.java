/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.store.Store;
import dev.manx.client.store.StoreSpec;
import dev.manx.client.store.remote.RemoteSettings;
import dev.manx.client.store.server.CacheServer;
import dev.manx.client.store.server.CacheServers;
import dev.manx.client.testkit.Bytes;
import dev.manx.client.testkit.Needs;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A page of many keys is one operation, whatever it takes to put it. */
@Tag("engines")
@Timeout(60)
class RedisBatchTest {
  private static final int KEYS = 2_000;

  @Test
  void aBatchThatExpiresIsPutWholeHoweverFewOperationsMayBeOutstanding() throws Exception {
    Needs.server(CacheServer.Kind.REDIS);
    RemoteSettings patient = Needs.patient();
    RemoteSettings few =
        new RemoteSettings(
            patient.timeout(),
            patient.resizeTimeout(),
            patient.pollInterval(),
            patient.retryAfter(),
            patient.retryAtMost(),
            1);
    StoreSpec<String, byte[]> spec =
        new StoreSpec<>("b1", 16L << 20, (k, v) -> v.length, Optional.of(new Bytes()));
    Map<String, byte[]> page =
        IntStream.range(0, KEYS).boxed().collect(Collectors.toMap(k -> "k" + k, k -> new byte[9]));
    try (CacheServers servers = RedisStore.servers(few, RedisStore.Eviction.LRU);
        Store<String, byte[]> store = servers.open(spec)) {
      store.putAll(page, Duration.ofHours(1)).toCompletableFuture().get(20, TimeUnit.SECONDS);
      assertThat(store.failures()).isZero();
      assertThat(
              store.getAll(page.keySet()).toCompletableFuture().get(20, TimeUnit.SECONDS).keySet())
          .isEqualTo(page.keySet());
    }
  }
}
