/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.client.invalidation.ChannelKind;
import dev.manx.client.invalidation.InvalidationChannel;
import dev.manx.client.store.remote.RemoteSettings;
import dev.manx.policy.config.ConfigNode;
import io.lettuce.core.RedisURI;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code invalidations: { redis: ... }}: {@code redis}, an address, {@code cluster} (false),
 * whether it is one or several nodes of a Cluster, {@code application}, a name that its servers
 * share, and {@code timeout} (200ms). Found by its service file.
 */
public final class RedisChannelKind implements ChannelKind {
  private static final String SENTINEL = "redis-sentinel://";

  /** For the service loader. */
  public RedisChannelKind() {}

  @Override
  public String name() {
    return "redis";
  }

  @Override
  public InvalidationChannel read(ConfigNode node) {
    String application = node.at("application").text();
    if (!application.matches("[A-Za-z0-9._-]{1,64}")) {
      throw node.at("application").refuse("1 to 64 letters, digits, '.', '_', '-'");
    }
    Duration timeout = RemoteSettings.timeout(node);
    ConfigNode redis = node.at("redis");
    if (node.find("cluster").map(ConfigNode::flag).orElse(false)) {
      return RedisInvalidations.ofCluster(nodes(redis), application, timeout);
    }
    return RedisInvalidations.of(
        redis.text().startsWith(SENTINEL) ? sentinels(redis) : RedisKind.uri(redis),
        application,
        timeout);
  }

  private static List<URI> nodes(ConfigNode redis) {
    List<URI> nodes = new ArrayList<>();
    for (String node : redis.text().split(",", -1)) {
      nodes.add(RedisKind.uri(node.strip(), redis));
    }
    return nodes;
  }

  private static URI sentinels(ConfigNode redis) {
    try {
      URI uri = URI.create(redis.text());
      if (RedisURI.create(uri).getSentinelMasterId() != null) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      // refused below
    }
    throw redis.refuse("redis-sentinel://host:port,host:port#master");
  }
}
