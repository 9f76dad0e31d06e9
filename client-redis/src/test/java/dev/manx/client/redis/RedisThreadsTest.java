/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Backend;
import dev.manx.client.BackendSpec;
import dev.manx.client.FanoutCache;
import dev.manx.client.invalidation.KeyText;
import dev.manx.client.store.Sizers;
import dev.manx.client.store.server.CacheServer;
import dev.manx.client.testkit.LevelContract;
import dev.manx.client.testkit.ServerProcess;
import dev.manx.client.testkit.Songs;
import dev.manx.policy.config.ConfigNode;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A process that closes its caches, as on a restart of its context, retains none of their threads.
 */
@Tag("engines")
@Timeout(60)
class RedisThreadsTest {
  /** Threads of caches and of lettuce; Netty's global thread ends when idle. */
  private static Set<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("manx-") || name.startsWith("lettuce-"))
        // This thread starts the test's own server.
        .filter(name -> !name.equals("manx-forker"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void theyEndWithTheLastCache() throws Exception {
    try (ServerProcess redis = ServerProcess.start(CacheServer.Kind.REDIS, 16L << 20, 0)) {
      String address = "\"redis://127.0.0.1:" + redis.address().getPort() + "\"";
      for (int start = 0; start < 2; start++) {
        uses(address);
        awaitNone();
      }
    }
  }

  private static void awaitNone() throws InterruptedException {
    // One look: lettuce may start a thread once more for a last task, which ends by itself.
    Set<String> left = threads();
    for (int wait = 0; !left.isEmpty() && wait < 4_000; wait++) {
      TimeUnit.MILLISECONDS.sleep(5);
      left = threads();
    }
    assertThat(left).isEmpty();
  }

  private static void uses(String address) throws Exception {
    try (FanoutCache cache =
        FanoutCache.builder()
            .configure(
                ConfigNode.parse(
                    "settings",
                    "{ capacity: 16MiB, store: { kind: redis, timeout: 5s, instances: { songs: "
                        + address
                        + " } }, invalidations: { redis: "
                        + address
                        + ", application: shop, timeout: 5s } }"))
            .open()) {
      Backend<Integer, String> songs =
          cache.add(
              BackendSpec.<Integer, String>of(
                      "songs",
                      Sizers.of(Sizers::number, Sizers::text),
                      keys -> CompletableFuture.completedFuture(Map.of(1, "v")))
                  .with(LevelContract.TEXT)
                  .with(KeyText.INTEGER));
      assertThat(cache.request().queryOne(songs, 1).get(20, TimeUnit.SECONDS)).isEqualTo("v");
      Songs.until(() -> cache.stats().invalidations().connected());
      songs.invalidate(java.util.List.of(1)).toCompletableFuture().get(20, TimeUnit.SECONDS);
      assertThat(threads()).isNotEmpty();
    }
  }
}
