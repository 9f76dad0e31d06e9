/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.server.CacheServer;
import dev.manx.client.testkit.Fault;
import dev.manx.client.testkit.Needs;
import dev.manx.client.testkit.StoreFaultContract;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

/** A share in a memcached that fails. */
@Tag("engines")
class MemcachedStoreFaultsTest extends StoreFaultContract {
  private FailingMemcached server;
  private InetSocketAddress relay;

  @Override
  protected void start() throws IOException {
    Needs.server(CacheServer.Kind.MEMCACHED);
    server = new FailingMemcached(64L << 20);
    relay = through(server.address());
  }

  @Override
  protected void end() {
    if (server != null) {
      server.close();
    }
  }

  @Override
  protected void fail(Fault fault) throws IOException {
    server.fail(fault);
  }

  @Override
  protected void recover(Fault fault) throws IOException {
    server.recover(fault);
  }

  @Override
  protected StoreFactory factory(Duration timeout) {
    return MemcachedStore.factory(backend -> relay, settings(timeout));
  }

  @Override
  protected long limitBytes() throws IOException {
    try (MemcachedAdmin admin = new MemcachedAdmin(server.address(), Duration.ofSeconds(5))) {
      return MemcachedAdmin.number(admin.stats(""), "limit_maxbytes");
    }
  }
}
