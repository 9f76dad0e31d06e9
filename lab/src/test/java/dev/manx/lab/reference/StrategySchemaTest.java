/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.reference;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import dev.manx.lab.SourceFiles;
import dev.manx.local.cluster.ManxHome;
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
