/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import static dev.manx.client.testkit.Songs.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Backend;
import dev.manx.client.FanoutCache;
import dev.manx.client.store.server.CacheServer;
import dev.manx.client.testkit.LevelContract;
import dev.manx.client.testkit.Needs;
import dev.manx.client.testkit.Songs;
import dev.manx.policy.config.ConfigNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Permissions of a user of Redis, as in the guide: with these, nothing is denied. */
@Tag("engines")
@Timeout(120)
class RedisPermissionsTest {
  private static final String SEARCH = " +cluster|nodes +cluster|myid +info";
  private static final String LEVEL =
      "~manx:level:shop:* +mget +set +unlink +eval +evalsha +getrange";
  private static final String LEVEL_OF_CLUSTER =
      "~manx:level:shop:* +get +set +unlink +eval +evalsha +getrange +asking" + SEARCH;
  private static final String CHANNEL = "&manx:invalidations:shop +publish +subscribe";
  private static final String CHANNEL_OF_CLUSTER = CHANNEL + SEARCH;
  private static final String NUMBERED = "+select";
  private static final String SENTINEL = "+sentinel|get-master-addr-by-name";
  private static final String SHARE =
      "~manx:* +get +mget +set +mset +unlink +del +pexpire +info +config|set";

  @TempDir Path folder;

  private final Map<Integer, String> database = new ConcurrentHashMap<>();
  private final List<FanoutCache> caches = new ArrayList<>();
  private final AtomicInteger nextKey = new AtomicInteger();
  private RedisNodes nodes;

  @BeforeEach
  void start() {
    Needs.server(CacheServer.Kind.REDIS);
    nodes = new RedisNodes(folder);
  }

  @AfterEach
  void close() throws Exception {
    caches.forEach(FanoutCache::close);
    nodes.close();
  }

  private static void permit(int port, String rules) {
    List<String> command =
        new ArrayList<>(List.of("ACL", "SETUSER", "app", "reset", "on", ">secret"));
    command.addAll(List.of(rules.split(" ", -1)));
    assertThat(RedisNodes.ask(port, command.toArray(String[]::new)).strip()).isEqualTo("OK");
  }

  /** Newer servers are also sent the name of the library, which they may reject. */
  private static void deniedNothing(int port) {
    List<String> log = RedisNodes.ask(port, "ACL", "LOG").lines().toList();
    List<String> denied = new ArrayList<>();
    for (int i = 0; i + 1 < log.size(); i++) {
      if (log.get(i).equals("object")) {
        denied.add(log.get(i + 1));
      }
    }
    denied.removeIf(command -> command.startsWith("client"));
    assertThat(denied).isEmpty();
  }

  private FanoutCache cache(String settings) {
    FanoutCache cache =
        FanoutCache.builder()
            .configure(ConfigNode.parse("settings", "{ capacity: 16MiB, " + settings + " }"))
            .drivenByHost()
            .open();
    caches.add(cache);
    return cache;
  }

  private Backend<Integer, String> add(FanoutCache cache) {
    return cache.add(Songs.of(database).with(LevelContract.TEXT));
  }

  private static String one(int port) {
    return "redis: 'redis://app:secret@127.0.0.1:" + port + "', application: shop, timeout: 5s";
  }

  private static String cluster(List<Integer> ports) {
    return "cluster: true, redis: '"
        + ports.stream()
            .map(port -> "redis://app:secret@127.0.0.1:" + port)
            .collect(Collectors.joining(","))
        + "', application: shop, timeout: 5s";
  }

  /** Asks for keys that no server has. */
  private void untilItFills(FanoutCache cache, Backend<Integer, String> songs) throws Exception {
    until(
        () -> {
          Songs.ask(cache, songs, nextKey.getAndIncrement());
          return songs.stats().level().fills() > 9;
        });
  }

  private void serves(String level) throws Exception {
    FanoutCache cache = cache("second-level: { " + level + " }");
    Backend<Integer, String> songs = add(cache);
    AtomicInteger key = new AtomicInteger(nextKey.get());
    untilItFills(cache, songs);
    FanoutCache other = cache("second-level: { " + level + " }");
    Backend<Integer, String> there = add(other);
    // It is asked for each key only once, after which that is in its own memory.
    untilItFills(other, there);
    until(
        () -> {
          Songs.ask(other, there, key.getAndIncrement());
          return there.stats().level().hits() > 0;
        });
    until(
        () ->
            songs
                .invalidate(List.of(1, 2, 3))
                .handle((done, failure) -> failure == null)
                .toCompletableFuture()
                .join());
    until(
        () ->
            songs
                .invalidateAll()
                .handle((done, failure) -> failure == null)
                .toCompletableFuture()
                .join());
  }

  private void carries(String channel) throws Exception {
    FanoutCache one = cache("invalidations: { " + channel + " }");
    FanoutCache two = cache("invalidations: { " + channel + " }");
    Backend<Integer, String> here = add(one);
    Backend<Integer, String> there = add(two);
    Songs.untilTheyKnowEachOther(one, two);
    database.put(1, "old");
    assertThat(Songs.ask(two, there, 1)).isEqualTo("old");
    database.put(1, "new");
    here.invalidate(List.of(1)).toCompletableFuture().join();
    until(() -> Songs.ask(two, there, 1).equals("new"));
  }

  @Test
  void aSecondLevelAndAChannel() throws Exception {
    int port = nodes.start("--save", "");
    permit(port, LEVEL);
    serves(one(port));
    deniedNothing(port);
    permit(port, CHANNEL);
    carries(one(port));
    deniedNothing(port);
  }

  @Test
  void thoseWithTheNumberOfADatabase() throws Exception {
    int port = nodes.start("--save", "");
    permit(port, LEVEL + " " + CHANNEL + " " + NUMBERED);
    String numbered = one(port).replace(":" + port, ":" + port + "/1");
    serves(numbered);
    carries(numbered);
    assertThat(RedisNodes.ask(port, "INFO", "keyspace")).contains("db1:").doesNotContain("db0:");
    deniedNothing(port);
  }

  @Test
  void thoseInACluster() throws Exception {
    List<Integer> ports = nodes.cluster(3);
    ports.forEach(port -> permit(port, LEVEL_OF_CLUSTER));
    serves(cluster(ports));
    ports.forEach(RedisPermissionsTest::deniedNothing);
    ports.forEach(port -> permit(port, CHANNEL_OF_CLUSTER));
    carries(cluster(ports));
    ports.forEach(RedisPermissionsTest::deniedNothing);
  }

  @Test
  void thoseBehindASentinel() throws Exception {
    int port = nodes.start("--save", "");
    int sentinel = nodes.sentinel(port);
    permit(port, LEVEL);
    permit(sentinel, SENTINEL);
    serves(
        "redis: 'redis-sentinel://app:secret@127.0.0.1:"
            + sentinel
            + "#shop', sentinel-user: app, sentinel-password: secret, application: shop,"
            + " timeout: 5s");
    deniedNothing(port);
    deniedNothing(sentinel);
  }

  @Test
  void aShare() throws Exception {
    int port = nodes.start("--save", "");
    permit(port, SHARE);
    FanoutCache cache =
        cache(
            "store: { kind: redis, timeout: 5s, instances: { songs:"
                + " 'redis://app:secret@127.0.0.1:"
                + port
                + "' } }, backend: { time-to-live: 1h }");
    Backend<Integer, String> songs = add(cache);
    until(
        () -> {
          Songs.ask(cache, songs, 1);
          return songs.stats().hits() > 0;
        });
    songs.invalidate(List.of(1)).toCompletableFuture().join();
    assertThat(songs.stats().allocatedBytes()).isEqualTo(16 << 20);
    cache.close();
    deniedNothing(port);
  }

  @Test
  void theGuideNamesThem() throws IOException {
    String guide =
        Files.readString(
            Path.of(System.getProperty("manx.home"), "docs", "embed", "cache-stores.md"));
    assertThat(
            Stream.of(LEVEL, LEVEL_OF_CLUSTER, CHANNEL, CHANNEL_OF_CLUSTER, SENTINEL, SHARE)
                .map(rules -> "| `" + rules.replace("|", "\\|") + "` |"))
        .allMatch(guide::contains);
    assertThat(guide).contains("also needs `" + NUMBERED + "`");
  }
}
