/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.client.store.server.CacheServer;
import dev.manx.client.testkit.Fault;
import dev.manx.client.testkit.LevelFaultContract;
import dev.manx.client.testkit.Needs;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;

/** A second level in Redis with failing nodes; a subclass determines their arrangement. */
abstract class RedisLevelFaultsContract extends LevelFaultContract {
  private static final String ROOM = "64mb";

  @TempDir Path folder;

  RedisNodes nodes;
  private List<Integer> data;

  /**
   * Starts the nodes, or empties those of the test before; returns the ports of those with data.
   */
  abstract List<Integer> arrange() throws Exception;

  /** The processes of a test. */
  RedisNodes processes() throws Exception {
    return new RedisNodes(folder);
  }

  /** Ends the processes of a test, unless they serve the next one too. */
  void leave(RedisNodes processes) throws Exception {
    processes.close();
  }

  /** Puts a relay before a node; returns its port. */
  final int through(int port) throws Exception {
    return through(new InetSocketAddress("127.0.0.1", port)).getPort();
  }

  @Override
  protected final void start() throws Exception {
    Needs.server(CacheServer.Kind.REDIS);
    nodes = processes();
    data = arrange();
    for (int port : data) {
      RedisNodes.ask(port, "CONFIG", "SET", "maxmemory", ROOM);
    }
  }

  @Override
  protected final void end() throws Exception {
    if (nodes != null) {
      leave(nodes);
    }
  }

  @Override
  protected Set<Fault> faults() {
    return EnumSet.allOf(Fault.class);
  }

  @Override
  protected final void fail(Fault fault) throws Exception {
    for (int port : data) {
      switch (fault) {
        case RESTART -> nodes.kill(port);
        case FULL -> RedisNodes.ask(port, "CONFIG", "SET", "maxmemory", "1");
        default -> nodes.busy(port);
      }
    }
  }

  @Override
  protected final void recover(Fault fault) throws Exception {
    for (int port : data) {
      switch (fault) {
        case RESTART -> nodes.restart(port);
        case FULL -> RedisNodes.ask(port, "CONFIG", "SET", "maxmemory", ROOM);
        default -> nodes.idle(port);
      }
    }
  }
}
