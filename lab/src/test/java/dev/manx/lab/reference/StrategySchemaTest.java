/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import dev.manx.client.FanoutCache;
import dev.manx.lab.SourceFiles;
import dev.manx.local.cluster.ManxHome;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class StrategySchemaTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonSchema SCHEMA =
      JsonSchemaFactory.getInstance(VersionFlag.V202012)
          .getSchema(StrategySchema.of(Registry.all()));

  static List<Path> examples() throws IOException {
    Path root = ManxHome.find().root();
    return SourceFiles.under(root.resolve("examples")).stream()
        .filter(file -> file.toString().endsWith(".yaml"))
        // its policy is in a separate jar
        .filter(file -> !file.endsWith("own-policy.yaml"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("examples")
  void everyStrategyOfTheExamplesIsValid(Path file) throws IOException {
    for (JsonNode strategy : yaml(Files.readString(file)).findParents("strategy")) {
      assertThat(SCHEMA.validate(JSON.createObjectNode().set("strategy", strategy.get("strategy"))))
          .as(strategy.toString())
          .isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "manx",
        "{}",
        "{ order: { policy: order.boost, beta: auto, max-wait: 0.5 s } }",
        "{ order: { policy: order.fifo, capacity: 1_000 } }",
        "{ oracles: { size: none, forecast: { small-default: 1ms } }, facts: pending-reads }"
      })
  void takesWhatManxTakes(String strategy) {
    assertThat(SCHEMA.validate(yaml("strategy: " + strategy))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "manxx",
        "{ selekt: select.low }",
        "{ select: order.fifo }",
        "{ select: { choices: 2 } }",
        "{ order: { policy: order.fifo, max-wait: 5ms } }",
        "{ order: { policy: order.fifo, capacity: 0 } }",
        "{ order: { policy: order.boost, max-wait: 5 } }",
        "{ select: { policy: select.p2c, signal: loud } }",
        "{ oracles: { size: oracle.popularity-space-saving } }",
        "{ facts: [nope] }"
      })
  void refusesWhatManxRefuses(String strategy) {
    assertThat(SCHEMA.validate(yaml("strategy: " + strategy))).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{ capacity: 256MiB, policy: cache.robinhood, store: caffeine }",
        "{ policy: { policy: cache.robinhood, tax: 1% }, store: { kind: lru } }",
        "{ store: { kind: caffeine, time-to-live: 10min }, shadow: true, record-every: 10 }",
        "{ store: { kind: redis, eviction: lfu, timeout: 50ms, instances: { a: 'redis://x' } } }",
        "{ store: { kind: memcached, timeout: 50ms, instances: { a: 'x:1', b: 'y:2' } } }",
        "{ invalidations: { redis: 'redis://x', cluster: true, application: shop } }",
        "{ invalidations: { statistics: 'http://x:1', application: shop, interval: 1s } }",
        "{ second-level: { memcached: 'x:1,y:2', application: shop, time-to-live: 1h } }",
        "{ second-level: { redis: 'redis://x', application: shop, timeout: 50ms } }",
        "{ backend: { time-out: 1s, breaker: { open-for: 5s } }, backends: { a: { floor: 1MiB } } }"
      })
  void takesCachesThatTheClientLibraryTakes(String cache) {
    FanoutCache.builder().configure(ConfigNode.parse("cache.yaml", "cache: " + cache).at("cache"));
    assertThat(SCHEMA.validate(yaml("cache: " + cache))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{ capcity: 1GiB }",
        "{ capacity: 256 }",
        "{ policy: cache.robin }",
        "{ policy: { policy: cache.robinhood, taxes: 1% } }",
        "{ store: cafeine }",
        "{ store: { kind: lru, time-to-live: 10min } }",
        "{ store: { kind: memcached, eviction: lfu, instances: { a: 'x:1' } } }",
        "{ invalidations: { redis: 'redis://x' } }",
        "{ invalidations: { redis: 'redis://x', application: 'a b' } }",
        "{ invalidations: { memcached: 'x:1', application: shop } }",
        "{ second-level: { statistics: 'http://x:1', application: shop } }",
        "{ statistics: { timeout: 1s } }",
        "{ backend: { timeout: 1s } }",
        "{ backends: { a: { breaker: { open: 5s } } } }"
      })
  void refusesCachesThatTheClientLibraryRefuses(String cache) {
    ConfigNode node = ConfigNode.parse("cache.yaml", "cache: " + cache).at("cache");
    assertThatThrownBy(() -> FanoutCache.builder().configure(node))
        .isInstanceOf(ConfigException.class);
    assertThat(SCHEMA.validate(yaml("cache: " + cache))).isNotEmpty();
  }

  @Test
  void everySettingSaysWhatItMeans() {
    JsonNode beta = StrategySchema.of(Registry.all()).findParents("beta").get(0).path("beta");
    assertThat(beta.path("description").asText()).contains("scale of the boost", "1ns to 1h");
    assertThat(beta.path("default").asText()).isEqualTo("auto");
  }

  private static JsonNode yaml(String text) {
    Object loaded = new Load(LoadSettings.builder().build()).loadFromString(text);
    return JSON.valueToTree(loaded == null ? Map.of() : loaded);
  }
}
