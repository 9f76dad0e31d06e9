/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.invalidation.InvalidationChannel;
import dev.manx.client.store.CaffeineStore;
import dev.manx.client.store.LruStore;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.remote.RemoteKinds;
import dev.manx.policy.config.ConfigNode;
import java.time.Duration;

/** The kinds of stores that configuration can name; the one place where they are listed. */
final class StoreKinds {
  private StoreKinds() {}

  /** Reads a kind, or a mapping with {@code kind} and its settings. */
  static StoreFactory read(ConfigNode node) {
    ConfigNode kind = node.isMapping() ? node.at("kind") : node;
    StoreFactory factory =
        switch (kind.oneOf("caffeine", "lru", "memcached", "redis")) {
          case "caffeine" -> CaffeineStore.factory(timeToLive(node));
          case "memcached" -> RemoteKinds.memcached(node);
          case "redis" -> RemoteKinds.redis(node);
          default -> LruStore.factory();
        };
    if (node.isMapping()) {
      node.noOtherKeys();
    }
    return factory;
  }

  /** Reads where invalidations of several servers go: {@code redis} and {@code application}. */
  static InvalidationChannel invalidations(ConfigNode node) {
    InvalidationChannel channel = RemoteKinds.invalidations(node);
    node.noOtherKeys();
    return channel;
  }

  private static Duration timeToLive(ConfigNode node) {
    return node.isMapping()
        ? node.find("time-to-live")
            .map(n -> Duration.ofNanos(n.durationNanos(0, Duration.ofDays(30).toNanos())))
            .orElse(Duration.ZERO)
        : Duration.ZERO;
  }
}
