/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.client.Backend;
import dev.manx.client.BackendSettings;
import dev.manx.client.BackendSpec;
import dev.manx.client.FanoutCache;
import dev.manx.client.control.StatisticsExchange;
import dev.manx.client.memcached.MemcachedStore;
import dev.manx.client.redis.RedisStore;
import dev.manx.client.store.CaffeineStore;
import dev.manx.client.store.Codec;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.remote.RemoteSettings;
import dev.manx.client.store.server.CacheServer;
import dev.manx.client.store.server.CacheServers;
import dev.manx.lab.experiment.Closer;
import dev.manx.lab.kind.cachelive.LiveSettings.BackendPlan;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One application server of an arm: its cache and the servers of its stores. */
final class LiveServer implements AutoCloseable {
  private static final int OBJECT_BYTES = 32;

  private final LiveArm arm;
  private final CacheServers servers;
  private final FanoutCache cache;
  private final Map<BackendPlan, Backend<Integer, byte[]>> backends = new LinkedHashMap<>();

  /**
   * Opens a cache in front of the backends.
   *
   * @param exchange of its statistics with the arm's other application servers
   */
  LiveServer(
      LiveSettings settings,
      LiveArm arm,
      List<LiveBackend> real,
      FaultSwitch faults,
      StatisticsExchange exchange) {
    this.arm = arm;
    servers = settings.server().map(LiveServer::servers).orElse(null);
    StoreFactory stores = servers == null ? CaffeineStore.factory() : servers;
    try (Closer<RuntimeException> undo = new Closer<>()) {
      if (servers != null) {
        undo.add(servers::close);
      }
      cache =
          FanoutCache.builder()
              .capacity(settings.capacityBytes())
              .strategy(arm.strategy())
              .leastGain(arm.leastGain())
              .stores(stores)
              .exchange(exchange)
              .requestTimeOut(Duration.ofNanos(settings.requestTimeOutNanos()))
              .open();
      undo.add(cache::close);
      for (LiveBackend backend : real) {
        BackendSpec<Integer, byte[]> spec =
            BackendSpec.of(
                backend.plan().name(),
                (Integer key, byte[] value) -> value.length + OBJECT_BYTES,
                faults.over(backend.plan(), backend.loader()));
        backends.put(
            backend.plan(),
            cache.add(spec.with(new Bytes()).with(settings(backend.plan().name(), settings))));
      }
      undo.release();
    }
  }

  private BackendSettings settings(String backend, LiveSettings settings) {
    // With floors equal to the requested shares, all shares are fixed. A load may take as long as
    // its request.
    return BackendSettings.DEFAULTS
        .withFloor(arm.shares().getOrDefault(backend, 0L))
        .withTimeOut(Duration.ofNanos(settings.requestTimeOutNanos()));
  }

  private static CacheServers servers(CacheServer.Kind kind) {
    RemoteSettings settings = RemoteSettings.standard();
    return switch (kind) {
      case MEMCACHED -> MemcachedStore.servers(settings);
      case REDIS -> RedisStore.servers(settings, RedisStore.Eviction.LRU);
    };
  }

  /** The processes of its stores; empty if they are in this process. */
  Optional<CacheServers> stores() {
    return Optional.ofNullable(servers);
  }

  FanoutCache cache() {
    return cache;
  }

  Map<BackendPlan, Backend<Integer, byte[]>> backends() {
    return backends;
  }

  @Override
  public void close() {
    try (Closer<RuntimeException> all = new Closer<>()) {
      if (servers != null) {
        all.add(servers::close);
      }
      all.add(cache::close);
    }
  }

  /** Keys as text, values unchanged. */
  private static final class Bytes implements Codec<Integer, byte[]> {
    @Override
    public String key(Integer key) {
      return Integer.toString(key);
    }

    @Override
    public byte[] encode(byte[] value) {
      return value;
    }

    @Override
    public byte[] decode(Integer key, byte[] bytes) {
      return bytes;
    }
  }
}
