/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import dev.manx.client.store.Store;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreSpec;
import dev.manx.client.store.remote.FirstContacts;
import dev.manx.client.store.remote.RemoteSettings;
import dev.manx.client.store.remote.RemoteStore;
import dev.manx.client.store.server.CacheServer;
import dev.manx.client.store.server.CacheServers;
import java.net.InetSocketAddress;
import java.util.function.Function;

/**
 * Shares in memcached 1.6, one instance each, to be started with {@code -o slab_automove=2}.
 *
 * <p>A share is at least 8 MiB and a whole number of MiB; memcached rejects smaller ones. Its key
 * table, and the first page of 1 MiB of every size class, are added: with sizes from bytes to 400
 * KB up to 40 MiB per instance.
 */
public final class MemcachedStore {
  /** The smallest share. */
  public static final long MINIMUM_BYTES = 8L << 20;

  private MemcachedStore() {}

  /**
   * Opens stores in running instances.
   *
   * @param instances address of a backend's instance; called once for each store. An unresolved
   *     address is looked up at each connection
   */
  public static StoreFactory factory(
      Function<String, InetSocketAddress> instances, RemoteSettings settings) {
    FirstContacts contacts = new FirstContacts();
    return new StoreFactory() {
      @Override
      public <K, V> Store<K, V> open(StoreSpec<K, V> spec) {
        InetSocketAddress address = instances.apply(spec.backend());
        if (address == null) {
          throw new IllegalArgumentException("backend " + spec.backend() + " has no memcached");
        }
        return RemoteStore.open(
            spec, new MemcachedLink(spec.backend(), address, settings), settings, contacts);
      }
    };
  }

  /**
   * Opens stores, each with its own memcached process on this machine. Every user of the machine
   * can reach the processes.
   */
  public static CacheServers servers(RemoteSettings settings) {
    return new CacheServers(
        CacheServer.Kind.MEMCACHED, server -> factory(backend -> server.address(), settings));
  }
}
