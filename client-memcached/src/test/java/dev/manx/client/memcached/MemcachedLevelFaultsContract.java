/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import dev.manx.client.store.server.CacheServer;
import dev.manx.client.testkit.Fault;
import dev.manx.client.testkit.LevelFaultContract;
import dev.manx.client.testkit.Needs;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A second level in failing memcached servers; a subclass determines their number. */
abstract class MemcachedLevelFaultsContract extends LevelFaultContract {
  private static final long BYTES = 8L << 20;

  private final List<FailingMemcached> servers = new ArrayList<>();
  private final List<InetSocketAddress> relays = new ArrayList<>();

  /** The number of servers. */
  abstract int count();

  @Override
  protected final void start() throws IOException {
    Needs.server(CacheServer.Kind.MEMCACHED);
    for (int i = 0; i < count(); i++) {
      FailingMemcached server = new FailingMemcached(BYTES);
      servers.add(server);
      relays.add(through(server.address()));
    }
  }

  @Override
  protected final void end() {
    servers.forEach(FailingMemcached::close);
    servers.clear();
    relays.clear();
  }

  @Override
  protected final void fail(Fault fault) throws IOException {
    for (FailingMemcached server : servers) {
      server.fail(fault);
    }
  }

  @Override
  protected final void recover(Fault fault) throws IOException {
    for (FailingMemcached server : servers) {
      server.recover(fault);
    }
  }

  @Override
  protected final String address() {
    return "memcached: \""
        + relays.stream().map(MemcachedLevelContract::text).collect(Collectors.joining(","))
        + "\"";
  }
}
