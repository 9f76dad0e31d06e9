/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.client.FanoutCache;
import dev.manx.client.exchange.StatisticsClient;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreSpec;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemoteKindsTest {
  private static ConfigNode node(String yaml) {
    return ConfigNode.parse("cache.yaml", yaml);
  }

  /** What was read shows where a backend has no instance: the others are not even tried. */
  @Test
  void readsBothKinds() {
    refusesAnother(
        RemoteKinds.memcached(
            node("{ timeout: 50ms, max-outstanding: 64, instances: { a: '127.0.0.1:21211' } }")),
        "no memcached for backend b");
    refusesAnother(
        RemoteKinds.redis(
            node(
                "{ eviction: lfu, resize-timeout: 1s, poll-interval: 2s, retry-after: 1s,"
                    + " retry-at-most: 5s, instances: { a: 'redis://localhost:6379' } }")),
        "no Redis for backend b");
  }

  private static void refusesAnother(StoreFactory stores, String words) {
    StoreSpec<String, byte[]> spec =
        new StoreSpec<>("b", 1 << 20, (key, value) -> value.length, Optional.empty());
    assertThatThrownBy(() -> stores.open(spec))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(words);
    assertThat(stores.tellsEvictions()).as("a remote store evicts unseen").isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          { kind: memcached }                                          | instances
          { kind: memcached, instances: { a: localhost } }             | host:port
          { kind: memcached, instances: { a: 'h:70000' } }             | 65535
          { kind: redis, instances: { a: 'http://x' } }                | redis://
          { kind: redis, instances: { a: ':' } }                       | redis://
          { kind: redis, eviction: fifo, instances: {} }               | lfu
          { kind: redis, instances: {}, timeout: 0s }                  | timeout
          { kind: redis, instances: {}, retry-after: 9s }              | retry-at-most
          { kind: redis, instances: {}, size: 3 }                      | size
          """)
  void refusesWhatCannotBe(String store, String said) {
    assertThatThrownBy(() -> FanoutCache.builder().configure(node("store: " + store)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(said);
  }

  @Test
  void readsWhereStatisticsComeTogether(@TempDir Path folder) throws Exception {
    Path secret = folder.resolve("secret");
    Files.writeString(secret, "a-secret-of-20-chars\n");
    String file = "secret-file: '" + secret + "'";
    StatisticsClient client =
        StatisticsClient.read(node("{ server: 'http://localhost:1', " + file + " }"));
    assertThat(client.failures()).isZero();
    for (String bad :
        new String[] {
          "{ server: 'ftp://x' }",
          "{ server: 'http://x:1', timeout: 2h }",
          "{ server: 'http://x:1', secret-file: /nowhere }",
          "{ server: 'http://x:1', other: 1 }"
        }) {
      assertThatThrownBy(() -> StatisticsClient.read(node(bad)))
          .as(bad)
          .isInstanceOf(ConfigException.class);
    }
  }
}
