/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import static dev.manx.client.testkit.Songs.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Backend;
import dev.manx.client.FanoutCache;
import dev.manx.client.level.LevelSettings;
import dev.manx.client.store.server.CacheServer;
import dev.manx.client.testkit.LevelContract;
import dev.manx.client.testkit.Needs;
import dev.manx.client.testkit.Relay;
import dev.manx.client.testkit.Songs;
import dev.manx.policy.config.ConfigNode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** How a second level connects to a Redis that is far away, and what it logs if it cannot. */
@Tag("engines")
@Isolated
@Timeout(60)
class RedisLevelConnectTest {
  @TempDir Path folder;

  private final PrintStream before = System.err;
  private final ByteArrayOutputStream logged = new ByteArrayOutputStream();
  private RedisNodes nodes;
  private int port;

  @BeforeEach
  void start() throws Exception {
    Needs.server(CacheServer.Kind.REDIS);
    nodes = new RedisNodes(folder);
    port = nodes.start("--save", "");
    System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void close() throws Exception {
    System.setErr(before);
    nodes.close();
  }

  private static RedisLevel level(String address, Duration timeout) {
    RedisLevel level =
        new RedisLevel(
            RedisAddress.of(URI.create(address)),
            LevelSettings.of("shop").withTimeout(timeout),
            Lettuce.STORES);
    level.open();
    return level;
  }

  /** What a look-up fails with, or "null". */
  private static String failure(RedisLevel level) {
    return level
        .get(List.of("k"))
        .handle((found, e) -> String.valueOf(e))
        .toCompletableFuture()
        .join();
  }

  /** TCP and login take several round trips; a look-up takes one. */
  @Test
  void itsTimeOutDoesNotBoundTheTimeToConnect() throws Exception {
    try (Relay relay = new Relay(new InetSocketAddress("127.0.0.1", port))) {
      relay.delay(Duration.ofMillis(300));
      try (RedisLevel level =
          level("redis://127.0.0.1:" + relay.address().getPort(), Duration.ofMillis(50))) {
        until(
            () -> {
              level.renew();
              return !failure(level).contains("not connected");
            });
      }
    }
    assertThat(logged.toString(StandardCharsets.UTF_8)).doesNotContain("cannot connect");
  }

  @Test
  void aRejectedLoginIsLoggedOnce() throws Exception {
    RedisNodes.ask(port, "ACL", "SETUSER", "default", "off");
    try (RedisLevel level = level("redis://me:wrong@127.0.0.1:" + port, Duration.ofMillis(50))) {
      until(() -> logged.toString(StandardCharsets.UTF_8).contains("cannot connect"));
      // Ignored while the first attempt is about to end.
      for (int i = 0; i < 100; i++) {
        level.renew();
        assertThat(failure(level)).contains("not connected");
      }
    }
    assertThat(logged.toString(StandardCharsets.UTF_8))
        .containsOnlyOnce("cannot connect to the second level in Redis at 127.0.0.1:" + port)
        .contains("WRONGPASS")
        .doesNotContain("me:wrong");
  }

  /** For example for want of a permission: no fill would ever succeed. */
  @Test
  void whatItRejectsIsLogged() throws Exception {
    RedisNodes.ask(
        port,
        "ACL",
        "SETUSER",
        "app",
        "on",
        ">secret",
        "~manx:level:shop:*",
        "+@all",
        "-@scripting");
    String level = "redis: 'redis://app:secret@127.0.0.1:" + port + "', application: shop";
    try (FanoutCache cache =
        FanoutCache.builder()
            .configure(
                ConfigNode.parse(
                    "settings", "{ capacity: 8MiB, second-level: { " + level + ", timeout: 5s } }"))
            .drivenByHost()
            .open()) {
      Backend<Integer, String> songs = cache.add(Songs.of(Map.of()).with(LevelContract.TEXT));
      AtomicInteger key = new AtomicInteger();
      until(
          () -> {
            Songs.ask(cache, songs, key.getAndIncrement());
            return logged.toString(StandardCharsets.UTF_8).contains("rejected");
          });
      assertThat(songs.stats().level().fills()).isZero();
    }
    assertThat(logged.toString(StandardCharsets.UTF_8))
        .contains("the second level rejected an operation: redis answered: NOPERM")
        .contains("evalsha")
        .doesNotContain("secret");
  }
}
