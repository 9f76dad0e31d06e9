/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

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
import org.junit.jupiter.params.provider.ValueSource;

/** Settings of {@code kind: redis}, read like a cache's, through the service file. */
class RedisKindTest {
  private static ConfigNode node(String yaml) {
    return ConfigNode.parse("cache.yaml", yaml);
  }

  /** The error shows which backend has no instance: other instances are not even tried. */
  @Test
  void readsAllSettings() {
    StoreFactory stores =
        new RedisKind()
            .read(
                node(
                    "{ eviction: lfu, resize-timeout: 1s, poll-interval: 2s, retry-after: 1s,"
                        + " retry-at-most: 5s, instances: { a: 'redis://localhost:6379' } }"));
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
          store: redis | a mapping with kind and instances
          store: { kind: redis, instances: { a: 'http://x' } } | redis://
          store: { kind: redis, instances: { a: ':' } } | redis://
          store: { kind: redis, instances: { a: 'redis://x/shop' } } | number of a database
          store: { kind: redis, eviction: fifo, instances: {} } | lfu
          store: { kind: redis, instances: {}, timeout: 0s } | timeout
          store: { kind: redis, instances: {}, retry-after: 9s } | retry-at-most
          store: { kind: redis, instances: {}, size: 3 } | size
          invalidations: { redis: 'http://x', application: shop } | redis://
          invalidations: { redis: 'redis://x', application: shop, sentinel-password: a } | redis-sentinel://
          invalidations: { redis: 'redis-sentinel://x#m', application: shop, sentinel-user: a } | sentinel-password
          invalidations: { redis: 'redis-sentinel://x', application: shop } | #master
          invalidations: { redis: 'redis://x,y', cluster: true, application: shop } | redis://
          invalidations: { redis: 'redis://x/shop', application: shop } | number of a database
          invalidations: { redis: 'redis://x,rediss://y', cluster: true, application: shop } | all nodes
          invalidations: { redis: 'redis://x', application: 'a b' } | letters
          invalidations: { redis: 'redis://x', application: shop, timeout: 2h } | timeout
          invalidations: { redis: 'redis://x', application: shop, topic: a } | unknown key
          invalidations: { redis: 'redis://x', application: shop, ca: } | ca = '' is invalid; allowed: a value
          invalidations: { redis: 'redis://x', application: shop, certificate: } | certificate = ''
          invalidations: { redis: 'redis://x', application: shop, certificate-key: } | certificate-key = ''
          invalidations: { redis: 'redis-sentinel://x#m', application: shop, sentinel-user: } | sentinel-user = ''
          invalidations: { redis: 'redis-sentinel://x#m', application: shop, sentinel-password: } | sentinel-password = ''
          store: { kind: redis, instances: { a: 'redis://x' }, ca: } | ca = '' is invalid; allowed: a value
          """)
  void refusesInvalidSettings(String settings, String said) {
    assertThatThrownBy(() -> FanoutCache.builder().configure(node(settings)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(said);
  }

  /** Error messages are logged. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "store: { kind: redis, instances: { a: 'redsi://me:secret@cache:6379' } }",
        "store: { kind: redis, instances: { a: 'redis://me:se cret@cache:6379' } }",
        "store: { kind: redis, instances: { a: 'redis://me:@/secret@cache:6379' } }",
        "store: { kind: redis, instances: { a: 'me:secret@cache:6379' } }",
        "store: 'redis://me:secret@cache:6379'",
        "invalidations: { redis: 'redsi://me:secret@cache', application: shop }",
        "invalidations: 'redis://me:secret@cache'",
        "invalidations: { redis: 'redis://a@cache', application: shop, sentinel-password: secret }",
      })
  void refusalsDoNotShowPasswords(String settings) {
    assertThatThrownBy(() -> FanoutCache.builder().configure(node(settings)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("***@cache")
        .hasMessageNotContaining("cret");
  }
}
