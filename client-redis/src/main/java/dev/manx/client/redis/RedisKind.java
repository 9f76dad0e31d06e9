/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreKind;
import dev.manx.client.store.remote.Instances;
import dev.manx.client.store.remote.RemoteSettings;
import dev.manx.policy.config.ConfigNode;
import java.net.URI;
import java.util.function.Function;

/**
 * {@code kind: redis}: {@code instances} with {@code redis://} or {@code rediss://} addresses by
 * backend, {@code eviction} (lru, lfu), the files of {@link RedisTls}, and the limits of {@link
 * RemoteSettings}. Found through its service file.
 */
public final class RedisKind implements StoreKind {
  /** Creates an instance, for the service loader. */
  public RedisKind() {}

  @Override
  public String name() {
    return "redis";
  }

  @Override
  public StoreFactory read(ConfigNode node) {
    Function<String, URI> instances = Instances.read(node, RedisAddress::instance);
    boolean lfu =
        node.find("eviction").map(n -> n.oneOf("lru", "lfu")).map("lfu"::equals).orElse(false);
    return RedisStore.factory(
        instances,
        RemoteSettings.read(node),
        lfu ? RedisStore.Eviction.LFU : RedisStore.Eviction.LRU,
        RedisTls.read(node));
  }
}
