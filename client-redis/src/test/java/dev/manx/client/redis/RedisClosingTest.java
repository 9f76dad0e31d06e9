/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import static dev.manx.client.testkit.Songs.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.invalidation.InvalidationChannel;
import dev.manx.client.level.LevelSettings;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreSpec;
import dev.manx.client.store.server.CacheServer;
import dev.manx.client.testkit.Bytes;
import dev.manx.client.testkit.Needs;
import dev.manx.client.testkit.ServerProcess;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Each connection is closed once; lettuce warns if one is closed twice. */
@Isolated
@Timeout(60)
class RedisClosingTest {
  private static final String BACKEND = "closing";

  private final PrintStream before = System.err;
  private final ByteArrayOutputStream logged = new ByteArrayOutputStream();

  @BeforeEach
  void capture() {
    System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void release() {
    System.setErr(before);
  }

  private static Store<String, byte[]> open(FakeRedis redis) {
    URI address = URI.create("redis://127.0.0.1:" + redis.port());
    return RedisStore.factory(backend -> address, Needs.patient(), RedisStore.Eviction.LRU)
        .open(
            new StoreSpec<>(
                BACKEND, FakeRedis.BYTES, (k, v) -> v.length, Optional.of(new Bytes())));
  }

  private void isQuiet() {
    assertThat(logged.toString(StandardCharsets.UTF_8)).doesNotContain("is already closed");
  }

  private static boolean supervised() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("manx-store-" + BACKEND));
  }

  /** Otherwise these tests would pass whatever is closed twice. */
  @Test
  void lettuceWarnsOfASecondTime() throws Exception {
    try (FakeRedis redis = new FakeRedis();
        RedisClient client = RedisClient.create("redis://127.0.0.1:" + redis.port())) {
      StatefulRedisConnection<String, String> connection = client.connect();
      connection.close();
      connection.close();
      assertThat(logged.toString(StandardCharsets.UTF_8)).contains("is already closed");
    }
  }

  @Test
  void thatOfAStore() throws Exception {
    try (FakeRedis redis = new FakeRedis()) {
      Store<String, byte[]> store = open(redis);
      until(() -> !store.isDegraded());
      store.close();
      until(() -> !supervised() && redis.open() == 0);
      isQuiet();
    }
  }

  @Test
  void thatOfAStoreWhoseServerIsLost() throws Exception {
    try (FakeRedis redis = new FakeRedis()) {
      try (Store<String, byte[]> store = open(redis)) {
        until(() -> !store.isDegraded());
        redis.close();
        until(
            () -> {
              var unused = store.getAll(List.of("k"));
              return store.isDegraded();
            });
      }
      until(() -> !supervised());
      isQuiet();
    }
  }

  @Test
  @Tag("engines")
  void thatOfASecondLevel() throws Exception {
    try (ServerProcess redis = ServerProcess.start(CacheServer.Kind.REDIS, 16L << 20, 0);
        RedisLevel level =
            new RedisLevel(
                address(redis),
                LevelSettings.of("shop").withTimeout(Duration.ofSeconds(20)),
                Lettuce.STORES)) {
      level.open();
      until(() -> succeeds(level.delete(List.of("k"))));
    }
    isQuiet();
  }

  @Test
  @Tag("engines")
  void thoseOfAChannel() throws Exception {
    try (ServerProcess redis = ServerProcess.start(CacheServer.Kind.REDIS, 16L << 20, 0);
        RedisInvalidations channel =
            RedisInvalidations.at(address(redis), "shop", Duration.ofSeconds(20))) {
      channel.open(
          new InvalidationChannel.Listener() {
            @Override
            public void received(byte[] message) {}

            @Override
            public void broken(String why) {}
          });
      until(() -> succeeds(channel.publish(new byte[1])));
    }
    isQuiet();
  }

  private static RedisAddress address(ServerProcess redis) {
    return RedisAddress.of(URI.create("redis://127.0.0.1:" + redis.address().getPort()));
  }

  private static boolean succeeds(CompletionStage<?> stage) {
    return stage.handle((value, failure) -> failure == null).toCompletableFuture().join();
  }
}
