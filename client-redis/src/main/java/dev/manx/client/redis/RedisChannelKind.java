/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.client.invalidation.ChannelKind;
import dev.manx.client.invalidation.InvalidationChannel;
import dev.manx.client.store.remote.RemoteSettings;
import dev.manx.policy.config.ConfigNode;
import java.time.Duration;

/**
 * {@code invalidations: { redis: ... }}: {@code redis} (an address), {@code cluster} (false;
 * whether the address names nodes of a Cluster), {@code application} (a name that all its servers
 * share), and {@code timeout} (200ms). Found through its service file.
 */
public final class RedisChannelKind implements ChannelKind {
  /** Creates an instance, for the service loader. */
  public RedisChannelKind() {}

  @Override
  public String name() {
    return "redis";
  }

  @Override
  public InvalidationChannel read(ConfigNode node) {
    String application = node.at("application").text();
    if (!application.matches(RedisInvalidations.NAME)) {
      throw node.at("application").refuse(RedisInvalidations.NAME_IN_WORDS);
    }
    Duration timeout = RemoteSettings.timeout(node);
    return RedisInvalidations.at(RedisAddress.read(node), application, timeout);
  }
}
