/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreKind;
import dev.manx.client.store.remote.Instances;
import dev.manx.client.store.remote.RemoteSettings;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import java.net.URI;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * {@code kind: redis}: {@code instances} with {@code redis://} or {@code rediss://} addresses by
 * backend, {@code eviction} (lru, lfu), the files of {@link RedisTls}, and the limits of {@link
 * RemoteSettings}. Found through its service file.
 */
public final class RedisKind implements StoreKind {
  private static final Setting EVICTION =
      Setting.word("eviction", "Redis' `maxmemory-policy allkeys-*`", "lru", "lfu");

  /** Creates an instance, for the service loader. */
  public RedisKind() {}

  @Override
  public String name() {
    return "redis";
  }

  @Override
  public List<Setting> settings() {
    return Stream.of(List.of(EVICTION), RedisTls.SETTINGS, RemoteSettings.SETTINGS)
        .flatMap(List::stream)
        .toList();
  }

  @Override
  public StoreFactory read(ConfigNode node) {
    Function<String, URI> instances = Instances.read(node, RedisAddress::instance);
    boolean lfu = EVICTION.readOr(node, EVICTION.standard()).equals("lfu");
    return RedisStore.factory(
        instances,
        RemoteSettings.read(node),
        lfu ? RedisStore.Eviction.LFU : RedisStore.Eviction.LRU,
        RedisTls.read(node));
  }
}
