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
import dev.manx.lab.advise.NodeFile;
import dev.manx.local.cluster.ManxHome;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.strategy.Host;
import dev.manx.policy.strategy.Strategy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
        "plugin: {}\nrecord: {}\nstrategy: manx",
        "plugin:\nrecord:",
        "plugin: { mode: on, breaker: { failures: 10, window: 10s }, calm-after: 0 }",
        "plugin: { mode: off, unpage-up-to: 1_000, kill-file: /etc/manx.off, rack-price: 1 ms }",
        "plugin: { in-flight: { keys: 1000, bytes: 1GiB }, learn-from-writes: false }",
        "plugin: { canary: 10%, persisted-file: manx.persisted.yaml }",
        "plugin: { canary: { share: 0.5, tables: shop.items, keyspaces: [a, b] } }",
        "record: { mode: on, file: decisions.log, max-size: 1MiB, sample: 100% }",
        "record: { mode: off, sample: 1% }\nstrategy: { select: select.low }"
      })
  void takesWholeFilesOfNodes(String file) {
    assertThat(SCHEMA.validate(yaml(file))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plugin: { mod: on }",
        "plugin: { mode: loud }",
        "plugin: { breaker: { failure: 10 } }",
        "plugin: { in-flight: { key: 10 } }",
        "plugin: { calm-after: 5 }",
        "plugin: { nodes: 0 }",
        "plugin: { learn-from-writes: sometimes }",
        "plugin: { canary: 200 }",
        "plugin: { canary: { table: [shop.items] } }",
        "plugin: { canary: { tables: [items] } }",
        "plugin: { canary: { keyspaces: [a.b] } }",
        "plugin: on",
        "record: { mod: on }",
        "record: { mode: shadow }",
        "record: { max-size: 16 }",
        "record: { sample: 2 }",
        "plugin: { mode: on }\nrecrod: { mode: on }",
        "plugin: { mode: on }\nstratgy: manx",
        "plugin: { mode: on }\nstrategy: manxx"
      })
  void refusesMistakesInFilesOfNodes(String file) {
    assertThat(SCHEMA.validate(yaml(file))).isNotEmpty();
  }

  /** The guide's example, and the file that {@code manx advise} writes. */
  @Test
  void takesTheFilesThatManxShows() throws IOException {
    Path guide = ManxHome.find().root().resolve("docs/operate/configuration.md");
    Matcher blocks =
        Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(guide));
    int files = 0;
    while (blocks.find()) {
      assertThat(SCHEMA.validate(yaml(blocks.group(1)))).as(blocks.group(1)).isEmpty();
      files++;
    }
    assertThat(files).isPositive();
    String advised =
        NodeFile.of("manx", Strategy.parse("test", "strategy: manx", Host.node(() -> 0)));
    assertThat(SCHEMA.validate(yaml(advised))).isEmpty();
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
