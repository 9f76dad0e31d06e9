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
    RedisTls tls = node.isMapping() ? RedisTls.read(node) : RedisTls.OF_THE_JVM;
    Function<String, URI> instances = Instances.read(node, address -> instance(address, tls));
    boolean lfu = EVICTION.readOr(node, EVICTION.standard()).equals("lfu");
    return RedisStore.factory(
        instances,
        RemoteSettings.read(node),
        lfu ? RedisStore.Eviction.LFU : RedisStore.Eviction.LRU,
        tls);
  }

  private static URI instance(ConfigNode address, RedisTls tls) {
    URI uri = RedisAddress.instance(address);
    try {
      tls.checkIsUsedBy(uri);
    } catch (IllegalArgumentException e) {
      throw address.refuse("rediss://, because certificates are configured");
    }
    return uri;
  }
}
