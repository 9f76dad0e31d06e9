/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreKind;
import dev.manx.client.store.remote.Instances;
import dev.manx.client.store.remote.RemoteSettings;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * {@code kind: memcached}: {@code instances} with {@code host:port} by backend, and the limits of
 * {@link RemoteSettings}. Found through its service file.
 */
public final class MemcachedKind implements StoreKind {
  /** Creates an instance, for the service loader. */
  public MemcachedKind() {}

  @Override
  public String name() {
    return "memcached";
  }

  @Override
  public List<Setting> settings() {
    return RemoteSettings.SETTINGS;
  }

  @Override
  public StoreFactory read(ConfigNode node) {
    return MemcachedStore.factory(
        Instances.read(node, MemcachedKind::address), RemoteSettings.read(node));
  }

  private static InetSocketAddress address(ConfigNode node) {
    return address(node, node.text());
  }

  /** An address that is not yet resolved. */
  static InetSocketAddress address(ConfigNode node, String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 1 || !text.substring(colon + 1).matches("[0-9]{1,5}")) {
      throw node.refuse("host:port");
    }
    int port = Integer.parseInt(text.substring(colon + 1));
    if (port < 1 || port > 65_535) {
      throw node.refuse("a port from 1 to 65535");
    }
    return InetSocketAddress.createUnresolved(text.substring(0, colon), port);
  }
}
