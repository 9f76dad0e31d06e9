/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.client.store.ResizeRefusedException;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.remote.RemoteSettings;
import dev.manx.client.store.server.CacheServer;
import dev.manx.client.testkit.Bytes;
import dev.manx.client.testkit.Needs;
import dev.manx.client.testkit.RemoteStoreContract;
import dev.manx.client.testkit.ServerProcess;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.resource.ClientResources;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("engines")
class RedisFaultsTest extends RemoteStoreContract {
  @Override
  protected ServerProcess startServer(long bytes, int port) throws IOException {
    return ServerProcess.start(CacheServer.Kind.REDIS, bytes, port);
  }

  @Override
  protected StoreFactory factory(InetSocketAddress address, RemoteSettings settings) {
    return RedisStore.factory(backend -> uri(address), settings, RedisStore.Eviction.LFU);
  }

  private static URI uri(InetSocketAddress address) {
    return URI.create("redis://127.0.0.1:" + address.getPort());
  }

  private <T> T asks(Function<RedisCommands<String, String>, T> question) {
    return asks(server(), question);
  }

  private static <T> T asks(
      ServerProcess some, Function<RedisCommands<String, String>, T> question) {
    ClientResources resources = Lettuce.STORES.acquire();
    try (RedisClient client = RedisClient.create(resources, RedisURI.create(uri(some.address())))) {
      return question.apply(client.connect().sync());
    } finally {
      Lettuce.STORES.release();
    }
  }

  @Override
  protected long limitOf(ServerProcess some) {
    return asks(some, redis -> Long.parseLong(redis.configGet("maxmemory").get("maxmemory")));
  }

  /** In a different database than the store's: it shares limit and evictions. */
  @Override
  protected void putForeign(ServerProcess at, String key) {
    asks(
        at,
        redis -> {
          redis.select(3);
          return redis.set(key, "x");
        });
  }

  @Override
  protected boolean hasForeign(ServerProcess at, String key) {
    return asks(
        at,
        redis -> {
          redis.select(3);
          return redis.get(key) != null;
        });
  }

  @Test
  @Timeout(120)
  void theStoresOwnDatabaseMustBeEmptyOrMarkedToo() throws Exception {
    try (ServerProcess other = startServer(SERVER, 0)) {
      asks(other, redis -> redis.set("precious", "x"));
      assertThatThrownBy(
              () -> factory(other.address(), Needs.patient()).open(spec(new Bytes())).close())
          .hasMessageContaining("db0:keys=1");
      assertThat(hasKey(other, "precious")).isTrue();
      assertThat(asks(other, redis -> redis.configGet("maxmemory-policy")).values())
          .containsExactly("allkeys-lru");
    }
  }

  private static boolean hasKey(ServerProcess at, String key) {
    return asks(at, redis -> redis.exists(key) == 1);
  }

  /** The successor of a killed process waits for its lease. */
  @Test
  @Timeout(120)
  void anInstanceInUseByAnotherProcessIsTakenWhenItsLeaseEnds() throws Exception {
    store().close();
    // It releases its lease after it is closed.
    await(store().left());
    asks(redis -> redis.set("manx:owned", "b1"));
    asks(redis -> redis.set("manx:lease", "another-process/1/b1"));
    try (Store<String, byte[]> waiting = open(Needs.patient())) {
      assertThat(waiting.isDegraded()).isTrue();
      assertThat(await(waiting.getAll(List.of("a")))).isEmpty();
      asks(redis -> redis.del("manx:lease"));
      found(() -> !waiting.isDegraded());
    }
  }

  /** A full instance evicts the markers like any key, and its connections may break just then. */
  @Test
  @Timeout(120)
  void anInstanceThatHasEvictedItsMarkersIsStillTheStores() throws Exception {
    serves("a");
    asks(
        redis -> {
          redis.multi();
          redis.del("manx:owned", "manx:lease");
          redis.clientKill(KillArgs.Builder.typeNormal());
          return redis.exec();
        });
    found(() -> asks(redis -> redis.exists("manx:owned", "manx:lease")) == 2);
    serves("b");
  }

  /** Its keys are back, in the state of its dump. */
  @Test
  @Timeout(120)
  void keysInvalidatedSinceTheDumpAreNotFoundAfterARestart(@TempDir Path folder) throws Exception {
    server().close();
    Process first = persistent(folder);
    Process second = null;
    try {
      serves("a");
      asks(redis -> redis.save());
      await(store().invalidateAll(List.of("a")));
      first.destroyForcibly().waitFor();
      second = persistent(folder);
      serves("b");
      List<String> there = asks(redis -> redis.keys("manx:*:a"));
      assertThat(there).as("the dump brought it back").hasSize(1);
      assertThat(await(store().getAll(List.of("a")))).isEmpty();
    } finally {
      first.destroyForcibly();
      if (second != null) {
        second.destroyForcibly();
      }
    }
  }

  /** A server that replaces this test's and reads the dump of its folder at start. */
  private Process persistent(Path folder) throws IOException {
    return new ProcessBuilder(
            CacheServer.Kind.REDIS.program().orElseThrow().toString(),
            "--bind",
            "127.0.0.1",
            "--port",
            Integer.toString(server().address().getPort()),
            "--save",
            "",
            "--dir",
            folder.toString())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  @Test
  void setsTheEvictionThatWasChosen() {
    assertThat(asks(redis -> redis.configGet("maxmemory-policy")).values())
        .containsExactly("allkeys-lfu");
  }

  @Test
  void aServerThatIsFullAndMayNotEvictKeepsNothingNewAndIsNotLost() throws Exception {
    waitsPatiently();
    asks(redis -> redis.configSet("maxmemory-policy", "noeviction"));
    await(store().putAll(Map.of("old", new byte[1_000])));
    for (int i = 0; i < 40; i++) {
      await(store().putAll(Map.of("k" + i, new byte[1 << 20])));
    }
    assertThat(store().failures()).isPositive();
    assertThat(store().isDegraded()).isFalse();
    assertThat(await(store().getAll(List.of("old")))).containsOnlyKeys("old");
  }

  @Test
  void aServerThatMayNotBeToldServesWithTheLimitItHas() throws Exception {
    asks(
        redis ->
            redis.aclSetuser(
                "app",
                io.lettuce.core.AclSetuserArgs.Builder.on()
                    .addPassword("pw")
                    .allCommands()
                    .allKeys()
                    .removeCommand(io.lettuce.core.protocol.CommandType.CONFIG)));
    store().close();
    URI uri = URI.create("redis://app:pw@127.0.0.1:" + server().address().getPort());
    Store<String, byte[]> managed =
        RedisStore.factory(backend -> uri, Needs.patient(), RedisStore.Eviction.LRU)
            .open(spec(new Bytes()));
    try {
      await(managed.putAll(Map.of("a", new byte[10])));
      assertThat(await(managed.getAll(List.of("a")))).containsOnlyKeys("a");
      assertThat(managed.isDegraded()).isFalse();
      assertThatThrownBy(() -> await(managed.resize(SHARE / 2)))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(ResizeRefusedException.class)
          .hasMessageContaining("redis answered");
    } finally {
      managed.close();
    }
  }

  @Test
  void aWrongPasswordIsNoCrash() throws Exception {
    URI uri = URI.create("redis://nobody:wrong@127.0.0.1:" + server().address().getPort());
    Store<String, byte[]> locked =
        RedisStore.factory(backend -> uri, Needs.hasty(), RedisStore.Eviction.LRU)
            .open(spec(new Bytes()));
    try {
      assertThat(locked.isDegraded()).isTrue();
      assertThat(await(locked.getAll(List.of("a")))).isEmpty();
    } finally {
      locked.close();
    }
  }
}
