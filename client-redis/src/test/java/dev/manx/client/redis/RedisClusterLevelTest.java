/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import static dev.manx.client.testkit.Songs.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Backend;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A second level in a Redis Cluster with a node that dies or hangs. */
@Tag("engines")
@Execution(ExecutionMode.CONCURRENT)
@Timeout(120)
class RedisClusterLevelTest extends RedisLevelContract {
  private static final List<Integer> PAGE = IntStream.range(0, 60).boxed().toList();

  private List<Integer> masters;

  @Override
  void arrange() throws Exception {
    masters = nodes.cluster(3);
  }

  @Override
  protected String address() {
    return "cluster: true, redis: \""
        + masters.stream().map(port -> "redis://127.0.0.1:" + port).collect(Collectors.joining(","))
        + "\"";
  }

  private void replicas() throws Exception {
    List<Integer> replicas = new ArrayList<>();
    for (int master : masters) {
      replicas.add(nodes.clusterReplica(master));
    }
    for (int port : replicas) {
      nodes.until(port, "cluster_known_nodes:6", "CLUSTER", "INFO");
    }
    for (int port : masters) {
      nodes.until(port, "connected_slaves:1", "INFO", "replication");
      nodes.until(port, "cluster_known_nodes:6", "CLUSTER", "INFO");
    }
  }

  private void survives(boolean hangs) throws Exception {
    waitsBriefly();
    replicas();
    Backend<Integer, String> one = server();
    PAGE.forEach(key -> database.put(key, "old"));
    fill(one, PAGE);
    for (int port : masters) {
      assertThat(RedisNodes.ask(port, "WAIT", "1", "20000").strip()).isEqualTo("1");
    }
    int lost = masters.get(0);
    if (hangs) {
      nodes.signal("STOP", lost);
    } else {
      nodes.kill(lost);
    }
    nodes.clusterReplaces(lost);
    PAGE.forEach(key -> database.put(key, "new"));
    var unused = one.invalidate(PAGE);
    Map<Integer, String> page = ask(one, PAGE);
    assertThat(page.values()).containsOnly("new");
    until(() -> level(one).unconfirmed() == 0);
    Backend<Integer, String> two = server();
    assertThat(ask(two, PAGE).values()).containsOnly("new");
    // Of all three nodes, one of which has been replaced.
    List<Integer> more = IntStream.range(1_000, 1_060).boxed().toList();
    int[] next = {0};
    until(
        () -> {
          List<Integer> fresh = more.stream().map(key -> key + 100 * next[0]++).toList();
          long before = level(two).fills() + level(two).hits();
          ask(two, fresh);
          return level(two).fills() + level(two).hits() >= before + fresh.size();
        });
    assertThat(one.stats().loadFailures()).isZero();
  }

  @Test
  void aNodeThatDiesIsReplaced() throws Exception {
    survives(false);
  }

  /** Its connections stay open, but it does not answer. */
  @Test
  @EnabledIfEnvironmentVariable(
      named = "MANX_FULL",
      matches = "1",
      disabledReason = "./test --full also hangs a node")
  void aNodeThatHangsIsReplaced() throws Exception {
    survives(true);
  }

  @Test
  void keysOfTheOtherNodesAreFoundWhileOneHangs() throws Exception {
    Backend<Integer, String> one = server();
    PAGE.forEach(key -> database.put(key, "song"));
    fill(one, PAGE);
    Backend<Integer, String> two = server();
    // Not the node with the epoch, without which no entry is valid.
    int epochs = nodeOf("manx:level:shop:songs:");
    int other = masters.stream().filter(port -> port != epochs).findFirst().orElseThrow();
    nodes.signal("STOP", other);
    assertThat(ask(two, PAGE)).hasSize(PAGE.size());
    assertThat(level(two).hits()).isBetween(1L, (long) PAGE.size() - 1);
    assertThat(two.stats().loadFailures()).isZero();
  }

  private int nodeOf(String name) throws Exception {
    for (int port : masters) {
      if (!RedisNodes.ask(port, "EXISTS", name).contains("MOVED")) {
        return port;
      }
    }
    throw new AssertionError(name + " is nowhere");
  }
}
