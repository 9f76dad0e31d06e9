/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.client.invalidation.ChannelKind;
import dev.manx.client.invalidation.InvalidationChannel;
import dev.manx.client.store.remote.RemoteSettings;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * {@code invalidations: { redis: ... }}: {@code redis} (an address), {@code cluster} (false;
 * whether the address names nodes of a Cluster), the other settings of {@link RedisAddress#read},
 * {@code application} (a name that all its servers share), and {@code timeout} (200ms). Found
 * through its service file.
 */
public final class RedisChannelKind implements ChannelKind {
  /** Creates an instance, for the service loader. */
  public RedisChannelKind() {}

  @Override
  public String name() {
    return "redis";
  }

  @Override
  public List<Setting> settings() {
    return Stream.concat(RedisAddress.SETTINGS.stream(), Stream.of(RemoteSettings.TIMEOUT))
        .toList();
  }

  @Override
  public InvalidationChannel read(ConfigNode node) {
    String application = (String) APPLICATION.read(node.at(APPLICATION.name()));
    Duration timeout = RemoteSettings.timeout(node);
    return RedisInvalidations.at(RedisAddress.read(node), application, timeout);
  }
}
