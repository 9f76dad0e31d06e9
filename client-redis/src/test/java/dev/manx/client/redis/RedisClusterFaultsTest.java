/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.client.testkit.Fault;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;

/** A second level in a Redis Cluster whose nodes all fail. */
@Tag("engines")
class RedisClusterFaultsTest extends RedisLevelFaultsContract {
  private final List<Integer> relays = new ArrayList<>();

  /** A node restarted empty is not part of the Cluster: it is replaced instead. */
  @Override
  protected Set<Fault> faults() {
    return EnumSet.complementOf(EnumSet.of(Fault.RESTART));
  }

  @Override
  List<Integer> arrange() throws Exception {
    List<Integer> masters = nodes.cluster(3);
    relays.clear();
    for (int port : masters) {
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
