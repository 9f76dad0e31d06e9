/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import java.util.List;
import org.junit.jupiter.api.Tag;

/**
 * A second level whose master a Sentinel names: it and the network fail, and the master is not
 * replaced.
 */
@Tag("engines")
class RedisSentinelFaultsTest extends RedisLevelFaultsContract {
  private int sentinel;

  @Override
  List<Integer> arrange() throws Exception {
    int master = nodes.start("--save", "");
    // A Sentinel gives clients the address at which it reaches the master, here that of a relay.
    sentinel = through(nodes.sentinel(through(master)));
    return List.of(master);
  }

  @Override
  protected String address() {
    return "redis: \"redis-sentinel://127.0.0.1:" + sentinel + "#shop\"";
  }
}
