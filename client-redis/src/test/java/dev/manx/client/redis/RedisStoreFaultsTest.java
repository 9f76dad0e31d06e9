/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.server.CacheServer;
import dev.manx.client.testkit.Fault;
import dev.manx.client.testkit.Needs;
import dev.manx.client.testkit.StoreFaultContract;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** A share in a Redis that fails. */
@Tag("engines")
class RedisStoreFaultsTest extends StoreFaultContract {
  private static final String EVICTION = "allkeys-lru";

  @TempDir Path folder;

  private RedisNodes nodes;
  private int port;
  private URI uri;

  @Override
  protected void start() throws Exception {
    Needs.server(CacheServer.Kind.REDIS);
    nodes = new RedisNodes(folder);
    port = nodes.start("--save", "", "--maxmemory-policy", EVICTION);
    int relay = through(new InetSocketAddress("127.0.0.1", port)).getPort();
    uri = URI.create("redis://127.0.0.1:" + relay);
  }

  @Override
  protected void end() throws Exception {
    if (nodes != null) {
      nodes.close();
    }
  }

  @Override
  protected Set<Fault> faults() {
    return EnumSet.allOf(Fault.class);
  }

  @Override
  protected void fail(Fault fault) throws Exception {
    switch (fault) {
      case RESTART -> nodes.kill(port);
      case FULL -> RedisNodes.full(port);
      default -> nodes.busy(port);
    }
  }

  @Override
  protected void recover(Fault fault) throws Exception {
    switch (fault) {
      case RESTART -> nodes.restart(port);
      case FULL -> {
        RedisNodes.roomy(port);
        RedisNodes.ask(port, "CONFIG", "SET", "maxmemory-policy", EVICTION);
      }
      default -> nodes.idle(port);
    }
  }

  @Override
  protected StoreFactory factory(Duration timeout) {
    return RedisStore.factory(backend -> uri, settings(timeout), RedisStore.Eviction.LRU);
  }

  @Override
  protected long limitBytes() throws Exception {
    return RedisLink.field(RedisNodes.ask(port, "INFO", "memory"), "maxmemory");
  }
}
