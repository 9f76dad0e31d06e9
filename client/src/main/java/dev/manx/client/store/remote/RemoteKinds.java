/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import dev.manx.client.invalidation.InvalidationChannel;
import dev.manx.client.store.StoreFactory;
import dev.manx.policy.config.ConfigNode;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Remote stores as configuration names them. */
public final class RemoteKinds {
  private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();

  private RemoteKinds() {}

  /**
   * Reads the settings of {@code kind: memcached}: {@code instances} with {@code host:port} by
   * backend, and the bounds of {@link RemoteSettings}.
   *
   * @throws dev.manx.policy.config.ConfigException if anything is refused
   */
  public static StoreFactory memcached(ConfigNode node) {
    Map<String, InetSocketAddress> instances = new HashMap<>();
    ConfigNode named = node.at("instances");
    for (String backend : named.names()) {
      instances.put(backend, address(named.at(backend)));
    }
    return MemcachedStore.factory(instances::get, settings(node));
  }

  /**
   * Reads the settings of {@code kind: redis}: {@code instances} with {@code redis://} or {@code
   * rediss://} addresses by backend, {@code eviction} (lru, lfu), and the bounds.
   *
   * @throws dev.manx.policy.config.ConfigException if anything is refused
   */
  public static StoreFactory redis(ConfigNode node) {
    Map<String, URI> instances = new HashMap<>();
    ConfigNode named = node.at("instances");
    for (String backend : named.names()) {
      instances.put(backend, uri(named.at(backend)));
    }
    boolean lfu =
        node.find("eviction").map(n -> n.oneOf("lru", "lfu")).map("lfu"::equals).orElse(false);
    return RedisStore.factory(
        instances::get, settings(node), lfu ? RedisStore.Eviction.LFU : RedisStore.Eviction.LRU);
  }

  /**
   * Reads where invalidations go: {@code redis}, an address, {@code application}, a name that its
   * servers share, and {@code timeout} (200ms).
   *
   * @throws dev.manx.policy.config.ConfigException if anything is refused
   */
  public static InvalidationChannel invalidations(ConfigNode node) {
    String application = node.at("application").text();
    if (!application.matches("[A-Za-z0-9._-]{1,64}")) {
      throw node.at("application").refuse("1 to 64 letters, digits, '.', '_', '-'");
    }
    return RedisInvalidations.of(
        uri(node.at("redis")),
        application,
        time(node, "timeout", RemoteSettings.standard().timeout()));
  }

  private static InetSocketAddress address(ConfigNode node) {
    String text = node.text();
    int colon = text.lastIndexOf(':');
    if (colon < 1 || !text.substring(colon + 1).matches("[0-9]{1,5}")) {
      throw node.refuse("host:port");
    }
    int port = Integer.parseInt(text.substring(colon + 1));
    if (port < 1 || port > 65_535) {
      throw node.refuse("a port from 1 to 65535");
    }
    return new InetSocketAddress(text.substring(0, colon), port);
  }

  private static URI uri(ConfigNode node) {
    try {
      URI uri = URI.create(node.text());
      if (uri.getHost() != null && String.valueOf(uri.getScheme()).matches("rediss?")) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      // refused below
    }
    throw node.refuse("redis://host:port or rediss://host:port");
  }

  private static RemoteSettings settings(ConfigNode node) {
    RemoteSettings like = RemoteSettings.standard();
    try {
      return new RemoteSettings(
          time(node, "timeout", like.timeout()),
          time(node, "resize-timeout", like.resizeTimeout()),
          time(node, "poll-interval", like.pollInterval()),
          time(node, "retry-after", like.retryAfter()),
          time(node, "retry-at-most", like.retryAtMost()),
          node.find("max-outstanding")
              .map(n -> (int) n.integer(1, 65_536))
              .orElse(like.maxOutstanding()));
    } catch (IllegalArgumentException e) {
      throw node.refuse(e.getMessage());
    }
  }

  private static Duration time(ConfigNode node, String key, Duration standard) {
    return node.find(key)
        .map(n -> Duration.ofNanos(n.durationNanos(1_000_000, HOUR_NANOS)))
        .orElse(standard);
  }
}
