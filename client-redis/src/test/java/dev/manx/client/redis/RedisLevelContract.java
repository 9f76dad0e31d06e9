/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.client.level.LevelKind;
import dev.manx.client.store.server.CacheServer;
import dev.manx.client.testkit.LevelContract;
import dev.manx.client.testkit.Needs;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** A second level in Redis; a subclass determines the arrangement of its nodes. */
abstract class RedisLevelContract extends LevelContract {
  @TempDir Path folder;

  RedisNodes nodes;

  /** Starts the nodes. */
  abstract void arrange() throws Exception;

  @Override
  protected final void start() throws Exception {
    Needs.server(CacheServer.Kind.REDIS);
    nodes = new RedisNodes(folder);
    arrange();
  }

  @Override
  protected final void end() throws Exception {
    if (nodes != null) {
      nodes.close();
    }
  }

  @Override
  protected final LevelKind kind() {
    return new RedisLevelKind();
  }

  /** Queries every node until one has it. */
  @Override
  protected final long ttlMillis(String name) throws Exception {
    for (int port : nodes.ports()) {
      String answer = RedisNodes.ask(port, "PTTL", name).strip();
      if (answer.matches("[0-9]+")) {
        return Long.parseLong(answer);
      }
    }
    throw new AssertionError(name + " has no time to live anywhere");
  }
}
