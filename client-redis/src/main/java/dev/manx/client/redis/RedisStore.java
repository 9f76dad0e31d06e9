/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.client.store.Store;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreSpec;
import dev.manx.client.store.remote.FirstContacts;
import dev.manx.client.store.remote.RemoteSettings;
import dev.manx.client.store.remote.RemoteStore;
import dev.manx.client.store.server.CacheServer;
import dev.manx.client.store.server.CacheServers;
import io.lettuce.core.RedisURI;
import java.net.URI;
import java.util.function.Function;

/**
 * Shares in Redis or Valkey, one instance each. The share is {@code maxmemory}, so all memory of
 * the server for its entries counts; at least 8 MiB. Active defragmentation is enabled if the
 * server supports it; without it, freed memory stays with the process.
 */
public final class RedisStore {
  /* An empty Redis 7 uses 1 MB, and responses being sent to its clients count too. */

  /** The smallest share. */
  public static final long MINIMUM_BYTES = 8L << 20;

  /** The eviction order. */
  public enum Eviction {
    /** The least recently used entry first, approximately. */
    LRU("allkeys-lru"),
    /** The least frequently used entry first, approximately and with aging. */
    LFU("allkeys-lfu");

    private final String policy;

    Eviction(String policy) {
      this.policy = policy;
    }
  }

  private RedisStore() {}

  /**
   * Opens stores in running instances.
   *
   * @param instances address of a backend's instance, {@code redis://host:port} with user and
   *     password in lettuce's syntax; called once for each store
   */
  public static StoreFactory factory(
      Function<String, URI> instances, RemoteSettings settings, Eviction eviction) {
    return factory(instances, settings, eviction, RedisTls.OF_THE_JVM);
  }

  /**
   * Opens stores in running instances with TLS ({@code rediss://}). An address without TLS is
   * rejected, unless {@code tls} is {@link RedisTls#OF_THE_JVM}.
   */
  public static StoreFactory factory(
      Function<String, URI> instances, RemoteSettings settings, Eviction eviction, RedisTls tls) {
    FirstContacts contacts = new FirstContacts();
    return new StoreFactory() {
      @Override
      public <K, V> Store<K, V> open(StoreSpec<K, V> spec) {
        URI uri = instances.apply(spec.backend());
        if (uri == null) {
          throw new IllegalArgumentException("backend " + spec.backend() + " has no Redis");
        }
        tls.checkIsUsedBy(uri);
        return RemoteStore.open(
            spec,
            new RedisLink(RedisURI.create(uri), settings, eviction.policy, tls),
            settings,
            contacts);
      }
    };
  }

  /**
   * Opens stores, each with its own Redis or Valkey process on this machine, which requires a
   * random password.
   */
  public static CacheServers servers(RemoteSettings settings, Eviction eviction) {
    return new CacheServers(
        CacheServer.Kind.REDIS,
        server -> {
          URI uri =
              URI.create(
                  "redis://:" + server.password() + "@127.0.0.1:" + server.address().getPort());
          return factory(backend -> uri, settings, eviction);
        });
  }
}
