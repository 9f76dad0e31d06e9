/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.client.level.LevelKind;
import dev.manx.client.level.LevelLink;
import dev.manx.client.level.LevelSettings;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import java.util.List;

/**
 * {@code second-level: { redis: ... }}: {@code redis} (an address), and {@code cluster} (false;
 * whether the address names nodes of a Cluster). Found through its service file.
 */
public final class RedisLevelKind implements LevelKind {
  /** Creates an instance, for the service loader. */
  public RedisLevelKind() {}

  @Override
  public String name() {
    return "redis";
  }

  @Override
  public List<Setting> settings() {
    return RedisAddress.SETTINGS;
  }

  @Override
  public LevelLink read(ConfigNode node, LevelSettings settings) {
    return new RedisLevel(RedisAddress.read(node), settings, Lettuce.STORES);
  }
}
