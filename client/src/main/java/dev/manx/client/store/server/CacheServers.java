/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.server;

import dev.manx.client.store.Store;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreSpec;
import dev.manx.client.store.remote.MemcachedStore;
import dev.manx.client.store.remote.RedisStore;
import dev.manx.client.store.remote.RemoteSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Opens stores that each have a server of their own on this machine, started for it. Closing this
 * ends all of them; the stores are closed before.
 */
public final class CacheServers implements StoreFactory, AutoCloseable {
  private static final long FIRST_BYTES = 64L << 20;

  private final CacheServer.Kind kind;
  private final StoreFactory stores;
  private final List<CacheServer> servers = new CopyOnWriteArrayList<>();

  /** Servers of a kind; none is started yet. */
  public CacheServers(CacheServer.Kind kind, RemoteSettings settings) {
    this.kind = kind;
    stores =
        switch (kind) {
          case MEMCACHED -> MemcachedStore.factory(backend -> start().address(), settings);
          case REDIS ->
              RedisStore.factory(
                  backend -> URI.create("redis://127.0.0.1:" + start().address().getPort()),
                  settings,
                  RedisStore.Eviction.LRU);
        };
  }

  private CacheServer start() {
    try {
      CacheServer server = CacheServer.start(kind, FIRST_BYTES);
      servers.add(server);
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  @Override
  public <K, V> Store<K, V> open(StoreSpec<K, V> spec) {
    return stores.open(spec);
  }

  /** Those that were started, in order. */
  public List<CacheServer> servers() {
    return List.copyOf(servers);
  }

  @Override
  public void close() {
    servers.forEach(CacheServer::close);
  }
}
