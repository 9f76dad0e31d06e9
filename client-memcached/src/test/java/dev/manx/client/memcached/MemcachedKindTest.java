/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.client.FanoutCache;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreSpec;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings of {@code kind: memcached}, read like a cache's, through the service file. */
class MemcachedKindTest {
  private static ConfigNode node(String yaml) {
    return ConfigNode.parse("cache.yaml", yaml);
  }

  /** The error shows which backend has no instance: other instances are not even tried. */
  @Test
  void readsAllSettings() {
    StoreFactory stores =
        new MemcachedKind()
            .read(
                node(
                    "{ timeout: 50ms, max-outstanding: 64, instances: { a: '127.0.0.1:21211' } }"));
    StoreSpec<String, byte[]> spec =
        new StoreSpec<>("b", 1 << 20, (key, value) -> value.length, Optional.empty());
    assertThatThrownBy(() -> stores.open(spec))
        .isInstanceOf(ConfigException.class)
        .hasMessage("cache.yaml:1: instances = '{a}' is invalid: backend b needs an address here");
    assertThat(stores.reportsEvictions()).as("a remote store evicts unseen").isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          store: memcached | a mapping
          store: { kind: memcached } | instances
          store: { kind: memcached, instances: { a: localhost } } | host:port
          store: { kind: memcached, instances: { a: 'h:70000' } } | 65535
          store: { kind: memcached, instances: {}, size: 3 } | size
          second-level: { memcached: localhost, application: shop } | host:port
          second-level: { memcached: 'h:1,', application: shop } | host:port
          second-level: { memcached: 'h:1,h:1', application: shop } | once
          second-level: { memcached: 'h:1,g:1' } | application
          second-level: { memcached: 'h:1', application: shop, cluster: true } | cluster
          """)
  void refusesInvalidSettings(String settings, String said) {
    assertThatThrownBy(() -> FanoutCache.builder().configure(node(settings)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(said);
  }
}
