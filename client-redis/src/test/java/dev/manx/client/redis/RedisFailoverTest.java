/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import static dev.manx.client.testkit.Songs.ask;
import static dev.manx.client.testkit.Songs.cache;
import static dev.manx.client.testkit.Songs.until;
import static dev.manx.client.testkit.Songs.untilTheyKnowEachOther;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Backend;
import dev.manx.client.FanoutCache;
import dev.manx.client.store.server.CacheServer;
import dev.manx.client.testkit.Needs;
import dev.manx.client.testkit.Songs;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two servers of one application with a Cluster or Sentinels between them; a node dies or hangs.
 */
@Tag("engines")
@Execution(ExecutionMode.CONCURRENT)
@Timeout(120)
class RedisFailoverTest {
  @TempDir Path folder;

  private final Map<Integer, String> database = new ConcurrentHashMap<>();
  private RedisNodes nodes;
  private FanoutCache one;
  private FanoutCache two;
  private Backend<Integer, String> here;
  private Backend<Integer, String> there;

  @BeforeEach
  void prepare() {
    Needs.server(CacheServer.Kind.REDIS);
    nodes = new RedisNodes(folder);
  }

  @AfterEach
  void close() throws Exception {
    for (FanoutCache cache : new FanoutCache[] {one, two}) {
      if (cache != null) {
        cache.close();
      }
    }
    nodes.close();
  }

  private void open(String channel) throws Exception {
    one = cache(channel);
    two = cache(channel);
    here = one.add(Songs.of(database));
    there = two.add(Songs.of(database));
    untilTheyKnowEachOther(one, two);
  }

  private boolean write(int key, String value) {
    database.put(key, value);
    return here.invalidate(List.of(key)).toCompletableFuture().handle((done, e) -> e).join()
        == null;
  }

  /**
   * Changes made while no other server is reachable arrive in the end.
   *
   * @param signal of the node: killed, or hanging like one whose host has vanished
   * @param replaces lets it be replaced, from the fault on
   */
  private void survives(int deadPort, String signal, Runnable replaces) throws Exception {
    assertThat(write(1, "old")).isTrue();
    until(() -> ask(two, there, 1).equals("old"));
    assertThat(write(1, "new")).isTrue();
    until(() -> ask(two, there, 1).equals("new"));
    assertThat(two.stats().invalidations().gaps()).isZero();
    nodes.signal(signal, deadPort);
    replaces.run();
    write(1, "newer");
    until(() -> ask(two, there, 1).equals("newer"));
    until(() -> write(1, "newest"));
    until(() -> ask(two, there, 1).equals("newest"));
    until(() -> one.stats().invalidations().connected() && two.stats().invalidations().connected());
  }

  @ParameterizedTest
  @ValueSource(strings = {"KILL", "STOP"})
  void aClusterThatLosesANodeLosesNoInvalidation(String signal) throws Exception {
    List<Integer> ports = nodes.cluster(3);
    open(
        "cluster: true, redis: \""
            + ports.stream()
                .map(port -> "redis://127.0.0.1:" + port)
                .collect(Collectors.joining(","))
            + "\"");
    int lost = ports.get(0);
    survives(lost, signal, () -> nodes.clusterReplaces(lost));
  }

  @ParameterizedTest
  @ValueSource(strings = {"KILL", "STOP"})
  void aFailoverBySentinelLosesNoInvalidation(String signal) throws Exception {
    int master = nodes.start("--save", "");
    nodes.replica(master);
    int sentinel = nodes.sentinel(master);
    nodes.until(sentinel, "slaves=1", "INFO", "sentinel");
    open("redis: \"redis-sentinel://127.0.0.1:" + sentinel + "#shop\"");
    survives(master, signal, () -> RedisNodes.sentinelReplaces(sentinel));
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "watcher"})
  void sentinelsMayRequireAPassword(String user) throws Exception {
    int master = nodes.start("--save", "");
    int sentinel = nodes.sentinel(master);
    RedisNodes.ask(sentinel, "ACL", "SETUSER", "watcher", "on", ">watch", "+@all");
    RedisNodes.ask(sentinel, "ACL", "SETUSER", "default", "resetpass", ">watch");
    String login = user.equals("default") ? "" : ", sentinel-user: " + user;
    open(
        "redis: \"redis-sentinel://127.0.0.1:"
            + sentinel
            + "#shop\", sentinel-password: watch"
            + login);
    assertThat(write(1, "new")).isTrue();
    until(() -> ask(two, there, 1).equals("new"));
  }
}
