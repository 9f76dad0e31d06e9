/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.client.store.Store;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreSpec;
import dev.manx.client.store.remote.RemoteSettings;
import dev.manx.client.store.remote.RemoteStore;
import dev.manx.client.store.server.CacheServer;
import dev.manx.client.store.server.CacheServers;
import io.lettuce.core.RedisURI;
import java.net.URI;
import java.util.function.Function;

/**
 * Shares in Redis or Valkey, one instance each. The share is {@code maxmemory}, so all that the
 * server needs to keep an entry counts; at least 8 MiB. Where the server was built for it, active
 * defragmentation is switched on, without which freed memory stays with the process.
 */
public final class RedisStore {
  /** The smallest share. */
  public static final long MINIMUM_BYTES = 8L << 20;

  /** Which entry goes first. */
  public enum Eviction {
    /** The one not used for longest, approximately. */
    LRU("allkeys-lru"),
    /** The one used least often, approximately and with aging. */
    LFU("allkeys-lfu");

    private final String policy;

    Eviction(String policy) {
      this.policy = policy;
    }
  }

  private RedisStore() {}

  /**
   * Opens stores in instances that are there.
   *
   * @param instances where a backend's instance listens, {@code redis://host:port} with user and
   *     password as lettuce reads them; not asked twice for one store
   */
  public static StoreFactory factory(
      Function<String, URI> instances, RemoteSettings settings, Eviction eviction) {
    return factory(instances, settings, eviction, RedisTls.OF_THE_JVM);
  }

  /** The same for instances with TLS ({@code rediss://}). */
  public static StoreFactory factory(
      Function<String, URI> instances, RemoteSettings settings, Eviction eviction, RedisTls tls) {
    return new StoreFactory() {
      @Override
      public <K, V> Store<K, V> open(StoreSpec<K, V> spec) {
        URI uri = instances.apply(spec.backend());
        if (uri == null) {
          throw new IllegalArgumentException("no Redis for backend " + spec.backend());
        }
        return RemoteStore.open(
            spec, new RedisLink(RedisURI.create(uri), settings, eviction.policy, tls), settings);
      }
    };
  }

  /** Opens stores that each have a Redis or Valkey on this machine, started for it. */
  public static CacheServers servers(RemoteSettings settings, Eviction eviction) {
    return new CacheServers(
        CacheServer.Kind.REDIS,
        address -> {
          URI uri = URI.create("redis://127.0.0.1:" + address.getPort());
          return factory(backend -> uri, settings, eviction);
        });
  }
}
