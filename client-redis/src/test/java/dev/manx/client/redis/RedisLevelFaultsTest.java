/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import java.util.List;
import org.junit.jupiter.api.Tag;

/** A second level in one Redis that fails. */
@Tag("engines")
class RedisLevelFaultsTest extends RedisLevelFaultsContract {
  private int relay;

  @Override
  List<Integer> arrange() throws Exception {
    int port = nodes.start("--save", "");
    relay = through(port);
    return List.of(port);
  }

  @Override
  protected String address() {
    return "redis: \"redis://127.0.0.1:" + relay + "\"";
  }
}
