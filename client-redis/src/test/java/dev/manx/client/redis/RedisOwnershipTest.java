/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import static dev.manx.client.testkit.Songs.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.store.Store;
import dev.manx.client.store.StoreSpec;
import dev.manx.client.testkit.Bytes;
import dev.manx.client.testkit.Needs;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An instance that another one of other owners takes the place of. */
@Timeout(60)
class RedisOwnershipTest {
  @Test
  void nothingIsSentToAnInstanceBeforeItIsKnownWhoseItIs() throws Exception {
    try (FakeRedis redis = new FakeRedis()) {
      URI address = URI.create("redis://127.0.0.1:" + redis.port());
      try (Store<String, byte[]> store =
          RedisStore.factory(backend -> address, Needs.patient(), RedisStore.Eviction.LRU)
              .open(
                  new StoreSpec<>(
                      "b1", FakeRedis.BYTES, (k, v) -> v.length, Optional.of(new Bytes())))) {
        until(() -> !store.isDegraded());
        redis.becomesAnothers();
        redis.awaitClaim();
        store.putAll(Map.of("k", new byte[9])).toCompletableFuture().get(20, TimeUnit.SECONDS);
        redis.goOn();
        until(store::isDegraded);
        redis.awaitEnd();
        assertThat(redis.written()).isEqualTo(List.of());
      }
    }
  }
}
