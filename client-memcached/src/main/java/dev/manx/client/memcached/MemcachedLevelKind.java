/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import dev.manx.client.level.LevelKind;
import dev.manx.client.level.LevelLink;
import dev.manx.client.level.LevelSettings;
import dev.manx.policy.config.ConfigNode;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.Stream;

/**
 * {@code second-level: { memcached: "host:port,host:port" }}: the servers of a fleet, at least one,
 * each once. Found through its service file.
 */
public final class MemcachedLevelKind implements LevelKind {
  /** Creates an instance, for the service loader. */
  public MemcachedLevelKind() {}

  @Override
  public String name() {
    return "memcached";
  }

  @Override
  public LevelLink read(ConfigNode node, LevelSettings settings) {
    ConfigNode servers = node.at("memcached");
    List<InetSocketAddress> addresses =
        Stream.of(servers.text().split(",", -1))
            .map(text -> MemcachedKind.address(servers, text.strip()))
            .toList();
    if (addresses.stream().map(Fleet::text).distinct().count() < addresses.size()) {
      throw servers.refuse("each host:port once");
    }
    return new MemcachedLevel(addresses, settings);
  }
}
