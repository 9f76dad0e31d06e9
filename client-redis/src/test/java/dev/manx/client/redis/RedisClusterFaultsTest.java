/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.client.testkit.Fault;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/**
 * A second level in a Redis Cluster whose nodes all fail. Every test begins with an empty Cluster
 * whose nodes all work; it is made once, because a new Cluster takes no writes for two seconds.
 */
@Tag("engines")
class RedisClusterFaultsTest extends RedisLevelFaultsContract {
  @TempDir static Path folderOfAll;

  private final List<Integer> relays = new ArrayList<>();
  private RedisNodes made;
  private List<Integer> masters;

  /** A node restarted empty is not part of the Cluster: it is replaced instead. */
  @Override
  protected Set<Fault> faults() {
    return EnumSet.complementOf(EnumSet.of(Fault.RESTART));
  }

  @Override
  RedisNodes processes() throws Exception {
    if (masters == null) {
      stop();
      made = new RedisNodes(folderOfAll);
      masters = made.cluster(3);
    }
    return made;
  }

  @Override
  void leave(RedisNodes processes) {}

  @AfterAll
  void stop() throws Exception {
    if (made != null) {
      made.close();
    }
  }

  @Override
  List<Integer> arrange() throws Exception {
    relays.clear();
    for (int port : masters) {
      // Those that were busy have to find each other again.
      nodes.until(port, "cluster_state:ok", "CLUSTER", "INFO");
      nodes.until(port, "OK", "FLUSHALL");
      RedisNodes.ask(port, "CONFIG", "SET", "busy-reply-threshold", "5000");
      int relay = through(port);
      relays.add(relay);
      RedisNodes.ask(port, "CONFIG", "SET", "cluster-announce-port", Integer.toString(relay));
    }
    for (int port : masters) {
      for (int relay : relays) {
        nodes.until(port, Integer.toString(relay), "CLUSTER", "SLOTS");
      }
    }
    return masters;
  }

  @Override
  protected String address() {
    return "cluster: true, redis: \""
        + relays.stream().map(port -> "redis://127.0.0.1:" + port).collect(Collectors.joining(","))
        + "\"";
  }
}
