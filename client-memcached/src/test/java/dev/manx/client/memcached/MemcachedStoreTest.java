/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import dev.manx.client.store.Store;
import dev.manx.client.store.StoreSpec;
import dev.manx.client.store.server.CacheServer;
import dev.manx.client.store.server.CacheServers;
import dev.manx.client.testkit.Needs;
import dev.manx.client.testkit.StoreContract;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/** The contract over a real memcached for each test. */
@Tag("engines")
class MemcachedStoreTest extends StoreContract {
  private CacheServers servers;

  @Override
  protected Store<String, byte[]> open(StoreSpec<String, byte[]> spec) {
    Needs.server(CacheServer.Kind.MEMCACHED);
    servers = MemcachedStore.servers(Needs.patient());
    return servers.open(spec);
  }

  @Override
  protected long shareBytes() {
    return 24L << 20;
  }

  @AfterEach
  void stopServers() {
    if (servers != null) {
      servers.close();
    }
  }
}
