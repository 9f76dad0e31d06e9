/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.metrics.RequestLatency;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.strategy.Blueprint;
import dev.manx.policy.strategy.Host;
import dev.manx.policy.strategy.Strategy;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory of a strategy is checked by its document, against a heap of half a gibibyte. */
class NodeLimitsTest {
  private static final long HEAP = 512L << 20;

  private static Map<String, Long> parts(String oracles) {
    return Blueprint.parse(
            "manx.yaml",
            "strategy: { select: select.popularity-aware, oracles: { %s } }".formatted(oracles),
            Host.node(() -> 0))
        .memoryBytes();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "popularity: { policy: oracle.popularity-space-saving, memory: 512MiB }",
        "popularity: { policy: oracle.popularity-space-saving, memory: 65MiB }",
        "size: { policy: oracle.size-bloom, memory: 4MiB },"
            + " popularity: { policy: oracle.popularity-space-saving, memory: 64MiB }",
      })
  void anOracleBeyondAnEighthOfTheHeapIsRefused(String oracles) {
    Map<String, Long> parts = parts(oracles);
    assertThatThrownBy(() -> NodeLimits.memory("manx.yaml", parts, HEAP))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("manx.yaml: strategy.oracles.")
        .hasMessageContaining("MiB' is invalid")
        .hasMessageContaining("an eighth of this node's heap");
  }

  @ParameterizedTest
  @ValueSource(strings = {"interval: 99ms", "most-keys: 4097"})
  void coordinatorsThatWouldSendEachOtherTooMuchAreRefused(String exchange) {
    Blueprint strategy =
        Blueprint.parse(
            "manx.yaml",
            "strategy: { exchange: { %s }, facts: [work-ahead] }".formatted(exchange),
            Host.node(() -> 0));
    assertThatThrownBy(() -> NodeLimits.exchange("manx.yaml", strategy.exchange().orElseThrow()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("manx.yaml: strategy.exchange.")
        .hasMessageContaining("on a node");
  }

  @Test
  void metricsOfTablesAreCheckedByTheirLargestMemory() {
    assertThat(RequestLatency.mostBytes(32)).isLessThan(4L << 20);
    assertThat(RequestLatency.mostBytes(1_000)).isGreaterThan(HEAP / 8);
    PluginConfig config = PluginConfig.read(ConfigNode.parse("m", "{}"), Path.of("manx.off"));
    assertThatCode(() -> NodeLimits.check("manx.yaml", config, 128, HEAP))
        .doesNotThrowAnyException();
    PluginConfig many =
        PluginConfig.read(
            ConfigNode.parse("m", "plugin: { metrics-tables: 1000 }"), Path.of("manx.off"));
    assertThatThrownBy(() -> NodeLimits.check("manx.yaml", many, 128, HEAP))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("manx.yaml: plugin.metrics-tables = '1000' is invalid")
        .hasMessageContaining("allowed: 64MiB, an eighth of this node's heap, for all of: ");
  }

  @Test
  void plansOfAllRequestThreadsAreCheckedByTheirCapacityOfNodes() {
    PluginConfig large =
        PluginConfig.read(ConfigNode.parse("m", "plugin: { nodes: 9000 }"), Path.of("manx.off"));
    assertThatCode(() -> NodeLimits.check("manx.yaml", large, 128, HEAP))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> NodeLimits.check("manx.yaml", large, 1_024, HEAP))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("manx.yaml: plugin.nodes = '9000' is invalid")
        .hasMessageContaining("an eighth of this node's heap");
  }

  /** Whatever the settings: 12 000 threads keep 71 MiB for 32 reads each. */
  @Test
  void plansOfAllRequestThreadsAreCheckedByTheirLeastReads() {
    PluginConfig small =
        PluginConfig.read(ConfigNode.parse("m", "plugin: { nodes: 8 }"), Path.of("manx.off"));
    assertThatCode(() -> NodeLimits.check("manx.yaml", small, 4_096, HEAP))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> NodeLimits.check("manx.yaml", small, 12_000, HEAP))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("for all of: plans of the request threads 71")
        .hasMessageContaining("plugin.nodes ");
  }

  /** Memory that only saves allocations is no reason to refuse a node. */
  @ParameterizedTest
  @CsvSource({
    "256, 192, 256",
    "256, 400, 64",
    "512, 290, 512",
    "512, 512, 256",
    "512, 1184, 32",
    "2048, 2112, 256"
  })
  void threadsKeepAsManyReadsAsTheHeapHasRoomFor(long mebibytes, int threads, int reads) {
    PluginConfig config = PluginConfig.read(ConfigNode.parse("m", "{}"), Path.of("manx.off"));
    long heap = mebibytes << 20;
    assertThatCode(() -> NodeLimits.check("manx.yaml", config, threads, heap))
        .doesNotThrowAnyException();
    assertThat(NodeLimits.keptReads(config, threads, heap)).isEqualTo(reads);
  }

  @Test
  void theyKeepBetween32And512Reads() {
    PluginConfig config = PluginConfig.read(ConfigNode.parse("m", "{}"), Path.of("manx.off"));
    assertThat(NodeLimits.keptReads(config, 192, 64L << 20)).isEqualTo(32);
    assertThat(NodeLimits.keptReads(config, 192, 1L << 40)).isEqualTo(512);
  }

  /** Each of them would fit without the others. */
  @Test
  void settingsTogetherGetAnEighth() {
    PluginConfig config =
        PluginConfig.read(
            ConfigNode.parse("m", "plugin: { nodes: 10000, outstanding: 300000 }"),
            Path.of("manx.off"));
    assertThatThrownBy(() -> NodeLimits.check("manx.yaml", config, 128, HEAP))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("manx.yaml: plugin.nodes = '10000' is invalid")
        .hasMessageContaining("plugin.outstanding ")
        .hasMessageContaining("plugin.metrics-tables ");
  }

  @Test
  void answersInFlightGetAQuarter() {
    PluginConfig most = inFlight("128MiB");
    assertThatCode(() -> NodeLimits.check("manx.yaml", most, 128, HEAP)).doesNotThrowAnyException();
    PluginConfig more = inFlight("129MiB");
    assertThatThrownBy(() -> NodeLimits.check("manx.yaml", more, 128, HEAP))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("manx.yaml: plugin.in-flight.bytes = '129MiB' is invalid")
        .hasMessageContaining("up to 128MiB, a quarter of this node's heap");
  }

  private static PluginConfig inFlight(String bytes) {
    return PluginConfig.read(
        ConfigNode.parse("m", "plugin: { in-flight: { bytes: " + bytes + " } }"),
        Path.of("manx.off"));
  }

  /** {@code nodetool settimeout read} changes it on a running node. */
  @Test
  void aTimeoutLoweredAfterTheCheckIsNoticed() {
    TestSchema.load();
    Strategy strategy =
        Strategy.parse(
            "t", "strategy: { order: { policy: order.bottleneck, max-wait: 500ms } }", () -> 0);
    long before = DatabaseDescriptor.getReadRpcTimeout(TimeUnit.MILLISECONDS);
    assertThat(NodeLimits.waitsTooLong(strategy)).isEmpty();
    try {
      DatabaseDescriptor.setReadRpcTimeout(900);
      assertThat(NodeLimits.waitsTooLong(strategy))
          .contains("max-wait is 500ms, more than 450ms")
          .contains("read_request_timeout");
    } finally {
      DatabaseDescriptor.setReadRpcTimeout(before);
    }
  }

  @Test
  void anEighthIsAllowed() {
    Map<String, Long> parts =
        parts(
            "size: { policy: oracle.size-bloom, memory: 4MiB },"
                + " popularity: { policy: oracle.popularity-space-saving, memory: 60MiB }");
    assertThatCode(() -> NodeLimits.memory("manx.yaml", parts, HEAP)).doesNotThrowAnyException();
  }

  @Test
  void theSecondPartGetsWhatTheFirstLeaves() {
    Map<String, Long> parts = new TreeMap<>(Map.of("a", 60L << 20, "b", 5L << 20));
    assertThatThrownBy(() -> NodeLimits.memory("manx.yaml", parts, HEAP))
        .hasMessageContaining("manx.yaml: b = '5MiB' is invalid; allowed: up to 4MiB: all parts")
        .hasMessageContaining("together may use 64MiB, an eighth");
  }
}
