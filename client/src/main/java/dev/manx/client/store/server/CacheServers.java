/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.server;

import dev.manx.client.store.Store;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/**
 * Opens stores, each with its own server process on this machine. Closing this object ends all
 * processes; the stores must be closed before.
 */
public final class CacheServers implements StoreFactory, AutoCloseable {
  private static final long FIRST_BYTES = 64L << 20;

  private final CacheServer.Kind kind;
  private final Function<CacheServer, StoreFactory> stores;
  private final List<Share> shares = new CopyOnWriteArrayList<>();

  private record Share(String backend, CacheServer server) {}

  /**
   * Creates a factory for servers of one kind; none is started yet.
   *
   * @param stores opens the store of a server, with its address and password
   */
  public CacheServers(CacheServer.Kind kind, Function<CacheServer, StoreFactory> stores) {
    this.kind = kind;
    this.stores = stores;
  }

  private CacheServer start(String backend) {
    try {
      CacheServer server = CacheServer.start(kind, FIRST_BYTES);
      shares.add(new Share(backend, server));
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  @Override
  public <K, V> Store<K, V> open(StoreSpec<K, V> spec) {
    return stores.apply(start(spec.backend())).open(spec);
  }

  /** The started servers, in order. */
  public List<CacheServer> servers() {
    return shares.stream().map(Share::server).toList();
  }

  /**
   * The {@linkplain StoreSpec#backend names} of the stores whose process has ended, for example
   * killed by the kernel for lack of memory; such a store misses every key from then on.
   */
  public List<String> ended() {
    return shares.stream().filter(one -> !one.server().isAlive()).map(Share::backend).toList();
  }

  @Override
  public void close() {
    servers().forEach(CacheServer::close);
  }
}
