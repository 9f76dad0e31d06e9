/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.record.RecordConfig;
import dev.manx.policy.config.ConfigNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The guide says of the plugin what the code does. */
class DocumentedTest {
  private static final Path DOCS = Path.of(System.getProperty("manx.home"), "docs");
  private static final Path KILL_FILE = Path.of("manx.off");

  private static String pluginBlock() throws IOException {
    Matcher block =
        Pattern.compile("```yaml\n(plugin:.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(DOCS.resolve("configuration.md")));
    assertThat(block.find()).isTrue();
    return block.group(1);
  }

  @Test
  void theDefaultsOfTheReferenceAreTheCodes() throws IOException {
    PluginConfig documented =
        PluginConfig.read(ConfigNode.parse("docs", pluginBlock()), Path.of("elsewhere"));
    PluginConfig code = PluginConfig.read(ConfigNode.parse("none", "plugin: {}"), KILL_FILE);
    assertThat(documented).isEqualTo(code);
  }

  @Test
  void theDefaultsOfTheRecordSectionAreTheCodes() throws IOException {
    Matcher block =
        Pattern.compile("```yaml\n(record:.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(DOCS.resolve("configuration.md")));
    assertThat(block.find()).isTrue();
    Path beside = Path.of("manx.yaml");
    RecordConfig documented = RecordConfig.read(ConfigNode.parse("docs", block.group(1)), beside);
    RecordConfig code = RecordConfig.read(ConfigNode.parse("none", "plugin: {}"), beside);
    assertThat(documented).isEqualTo(code);
    Throwable refusal =
        catchThrowable(
            () ->
                RecordConfig.read(
                    ConfigNode.parse("docs", block.group(1), java.util.Map.of("record.bogus", "1")),
                    beside));
    for (String key : refusal.getMessage().replaceFirst(".*valid keys: ", "").split(", ")) {
      assertThat(block.group(1)).containsPattern("(?m)^ +" + key + ":");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"plugin", "plugin.breaker"})
  void theReferenceHasEveryKey(String mapping) throws IOException {
    String text = pluginBlock();
    Throwable refusal =
        catchThrowable(
            () ->
                PluginConfig.read(
                    ConfigNode.parse("docs", text, java.util.Map.of(mapping + ".bogus", "1")),
                    KILL_FILE));
    Matcher known = Pattern.compile("valid keys: (.*)$").matcher(refusal.getMessage());
    assertThat(known.find()).as(refusal.getMessage()).isTrue();
    for (String key : known.group(1).split(", ")) {
      assertThat(text).containsPattern("(?m)^ +" + key + ":");
    }
  }

  @Test
  void everyCounterIsExplained() throws IOException {
    String text = Files.readString(DOCS.resolve("configuration.md"));
    assertThat(Arrays.stream(Counter.values()).map(Counter::label))
        .allMatch(label -> text.contains("`" + label + "`"));
  }

  @Test
  void everyHookIsExplained() throws IOException {
    String text = Files.readString(DOCS.resolve("install.md"));
    assertThat(Arrays.stream(Hook.values()).map(Hook::label))
        .allMatch(label -> text.contains("`" + label + "`"));
  }
}
