/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import dev.manx.lab.experiment.Choices;
import dev.manx.lab.kind.Kinds;
import dev.manx.local.cluster.ManxHome;
import dev.manx.policy.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

@Tag("slow")
class ExperimentSchemaTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path EXAMPLES = ManxHome.find().root().resolve("examples");
  private static final JsonSchema SCHEMA =
      JsonSchemaFactory.getInstance(VersionFlag.V202012)
          .getSchema(ExperimentSchema.of(Kinds.settings(), Registry.all()));

  static List<Path> examples() throws IOException {
    try (Stream<Path> files = Files.list(EXAMPLES)) {
      return files
          .filter(file -> file.toString().endsWith(".yaml") && isExperiment(file))
          .sorted()
          .toList();
    }
  }

  private static boolean isExperiment(Path file) {
    try {
      return Files.readString(file).contains("\non: ");
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void everyExampleIsValid(Path file) throws IOException {
    assertThat(SCHEMA.validate(yaml(Files.readString(file)))).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("examples")
  void everyResolvedExampleIsValid(Path file) {
    String resolved = Kinds.read(file, Choices.none(), ManxHome.find()).text();
    assertThat(SCHEMA.validate(yaml(resolved))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "demo.yaml       | warm-up: 1s        | warmup: 1s",
        "demo.yaml       | warm-up: 1s        | warm-up: 1",
        "demo.yaml       | nodes: 3           | nodes: 10",
        "demo.yaml       | on: cluster        | on: clusters",
        "c3.yaml         | on: simulator      | on: cluster",
        "idle-strategies.yaml | hold:         | holds:",
      })
  void refusesWhatManxRefuses(String file, String valid, String invalid, @TempDir Path folder)
      throws IOException {
    String text = Files.readString(EXAMPLES.resolve(file));
    assertThat(text).contains(valid);
    Path changed = Files.writeString(folder.resolve(file), text.replace(valid, invalid));
    assertThat(SCHEMA.validate(yaml(Files.readString(changed)))).isNotEmpty();
    assertThatThrownBy(() -> Kinds.read(changed, Choices.none(), ManxHome.find()))
        .isInstanceOf(ConfigException.class);
  }

  private static JsonNode yaml(String text) {
    return JSON.valueToTree(new Load(LoadSettings.builder().build()).loadFromString(text));
  }
}
