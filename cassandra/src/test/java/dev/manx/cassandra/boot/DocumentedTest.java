/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.record.RecordConfig;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.NodeSettings;
import dev.manx.policy.config.Setting;
import dev.manx.policy.config.SettingTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The guide describes the plugin as the code works. */
class DocumentedTest {
  private static final Path DOCS = Path.of(System.getProperty("manx.home"), "docs");
  private static final Path FILE = Path.of("manx.yaml");

  static List<List<Setting>> lists() {
    return List.of(
        NodeSettings.PLUGIN,
        NodeSettings.BREAKER,
        NodeSettings.IN_FLIGHT,
        List.of(NodeSettings.CANARY_SHARE),
        NodeSettings.RECORD);
  }

  @ParameterizedTest
  @MethodSource("lists")
  void theGuideHasTheTableOfEverySection(List<Setting> settings) throws IOException {
    assertThat(Files.readString(DOCS.resolve("operate/configuration.md")))
        .contains(SettingTable.markdown(settings));
  }

  @Test
  void theExampleOfTheGuideIsReadAndLeavesNothingOut() throws IOException {
    Matcher block =
        Pattern.compile("```yaml\n(plugin:.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(DOCS.resolve("operate/configuration.md")));
    assertThat(block.find()).isTrue();
    ConfigNode top = ConfigNode.parse("docs", block.group(1));
    assertThat(PluginConfig.read(top, FILE).mode()).isEqualTo(Mode.ON);
    RecordConfig.read(top, Path.of("manx.yaml"));
    assertThat(top.at("strategy").text()).isEqualTo("manx");
    top.noOtherKeys();
  }

  @Test
  void everyCounterIsExplained() throws IOException {
    String text = Files.readString(DOCS.resolve("operate/configuration.md"));
    assertThat(Arrays.stream(Counter.values()).map(Counter::label))
        .allMatch(label -> text.contains("`" + label + "`"));
  }

  /** Rows of {@code manx.strategy} with fill levels; the code's own list of names. */
  @Test
  void everyBoundIsExplained() throws IOException {
    String text = Files.readString(DOCS.resolve("operate/configuration.md"));
    String code =
        Files.readString(
            DOCS.resolveSibling("cassandra/src/main/java/dev/manx/cassandra/boot/FillLevels.java"));
    List<String> rows =
        Pattern.compile("\"([a-z]+\\.[a-z.-]+)\"")
            .matcher(code)
            .results()
            .map(row -> row.group(1))
            .filter(row -> !row.startsWith("forecast."))
            .toList();
    assertThat(rows).hasSizeGreaterThan(10).allMatch(row -> text.contains("`" + row + "`"));
  }

  /** On every page, whatever the mode: {@code 8 of 9}. */
  @Test
  void outputsInTheGuideHaveTheNumberOfHooks() throws IOException {
    List<String> counts;
    try (Stream<Path> pages = Files.list(DOCS.resolve("operate"))) {
      counts =
          pages
              .filter(page -> page.toString().endsWith(".md"))
              .flatMap(DocumentedTest::hookCounts)
              .toList();
    }
    assertThat(counts)
        .hasSizeGreaterThan(10)
        .allMatch(count -> count.equals(Integer.toString(Hook.values().length)));
  }

  private static Stream<String> hookCounts(Path page) {
    try {
      return Pattern.compile("(?:closed {3}|hooks installed: )\\d+ of (\\d+)")
          .matcher(Files.readString(page))
          .results()
          .map(count -> count.group(1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void everyHookIsExplained() throws IOException {
    String text = Files.readString(DOCS.resolve("operate/install.md"));
    assertThat(Arrays.stream(Hook.values()).map(Hook::label))
        .allMatch(label -> text.contains("`" + label + "`"));
  }
}
