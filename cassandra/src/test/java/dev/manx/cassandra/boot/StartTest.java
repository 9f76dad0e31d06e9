/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.record.RecordConfig;
import dev.manx.policy.config.NodeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The configuration at start-up: the file, and the persisted switches. */
class StartTest {
  private static final String LOR = "strategy: { select: select.lor }";

  @TempDir private Path folder;
  private Path file;
  private Path kept;

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  @BeforeEach
  void file() throws IOException {
    file = Files.writeString(folder.resolve("manx.yaml"), "plugin: { mode: shadow }\n");
    kept = folder.resolve("manx.persisted.yaml");
  }

  @Test
  void persistedSettingsPrecedeTheFile() throws IOException {
    Persisted persisted = new Persisted(kept);
    persisted.add(
        Map.of(
            "mode", "on",
            "calm-after", "3s",
            "record", "0.05",
            "canary", "{ keyspaces: [], tables: [a.b], share: 0.1 }",
            "document", LOR + "\n# \"quoted\" \\ and\ttabs\n"));
    Start start = Start.of(file);
    assertThat(start.refused()).isEmpty();
    assertThat(start.plugin().mode()).isEqualTo(Mode.ON);
    assertThat(start.plugin().calmAfterNanos()).isEqualTo(3_000_000_000L);
    assertThat(start.plugin().canary().share()).isEqualTo(0.1);
    assertThat(start.record().on()).isTrue();
    assertThat(start.record().sample()).isEqualTo(0.05);
    assertThat(start.strategy().names()).containsEntry("select", "select.lor");
    assertThat(start.persisted().describe().get("persisted"))
        .startsWith("mode, document, record, calm-after, canary since 2")
        .endsWith("in " + kept);
    assertThat(start.persisted().describe()).containsEntry("persisted.mode", "on");
    assertThat(Files.readString(file)).isEqualTo("plugin: { mode: shadow }\n");
  }

  @Test
  void theFileIsTheOwnersAndReplacedAsAWhole() throws IOException {
    Persisted persisted = new Persisted(kept);
    persisted.add(Map.of("mode", "on"));
    persisted.add(Map.of("calm-after", "3s"));
    assertThat(persisted.read().values()).isEqualTo(Map.of("mode", "on", "calm-after", "3s"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept)))
        .isEqualTo("rw-------");
    assertThatThrownBy(() -> persisted.add(Map.of("document", "x".repeat(70_000))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("at most 65536");
    assertThat(persisted.read().values()).hasSize(2);
    try (var left = Files.list(folder)) {
      assertThat(left).containsExactlyInAnyOrder(file, kept);
    }
    persisted.remove(List.of("mode"));
    assertThat(persisted.read().values()).isEqualTo(Map.of("calm-after", "3s"));
    persisted.remove(List.of());
    assertThat(kept).doesNotExist();
    assertThat(persisted.describe()).isEqualTo(Map.of("persisted", ""));
  }

  @Test
  void aFolderThatCannotBeWrittenIsNamed() {
    Persisted persisted = new Persisted(folder.resolve("none").resolve("manx.persisted.yaml"));
    assertThatThrownBy(() -> persisted.add(Map.of("mode", "on")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("not persisted", "plugin.persisted-file");
    assertThat(persisted.value("mode")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[",
        "since: x\nmode: loud\n",
        "since: x\nmood: on\n",
        "mode: on\n",
        "since: x\ncanary: '110%'\n",
        "since: x\nrecord: lots\n",
        "since: x\ncalm-after: 5h\n",
        "since: x\ndocument: 'strategy: { select: select.none-such }'\n",
        "since: x\nmode: on\ndocument: 'strategy: { order: { policy: order.bottleneck, max-wait: 1h } }'\n",
      })
  void brokenPersistedSettingsAreIgnoredAndTheFileHolds(String text) throws IOException {
    Files.writeString(kept, text);
    Start start = Start.of(file);
    assertThat(start.refused()).isEmpty();
    assertThat(start.plugin().mode()).isEqualTo(Mode.SHADOW);
    assertThat(start.persisted().describe().get("persisted"))
        .startsWith("ignored: ")
        .contains(kept.toString());
    assertThatThrownBy(() -> start.persisted().add(Map.of("mode", "on")))
        .hasMessageContaining("reset-persisted");
    start.persisted().remove(List.of());
    start.persisted().add(Map.of("mode", "on"));
    assertThat(Start.of(file).plugin().mode()).isEqualTo(Mode.ON);
  }

  @Test
  void aFileOfAnotherNameThatManxDidNotWriteIsLeftAlone() throws IOException {
    Persisted persisted = new Persisted(Files.writeString(folder.resolve("manx.off"), "mine"));
    assertThatThrownBy(() -> persisted.remove(List.of())).hasMessageContaining("left as it is");
    assertThatThrownBy(persisted::endMode).hasMessageContaining("left as it is");
    assertThat(folder.resolve("manx.off")).hasContent("mine");
  }

  @Test
  void offEndsAPersistedModeThatTheNodeDoesNotUse() throws IOException {
    Files.writeString(kept, "since: x\nmode: on\nrecord: lots\n");
    Start start = Start.of(file);
    assertThat(start.persisted().describe().get("persisted")).startsWith("ignored: ");
    assertThat(start.persisted().maySwitchOn()).isTrue();
    assertThat(start.persisted().endMode()).isTrue();
    assertThat(kept).doesNotExist();
    assertThat(kept.resolveSibling(kept.getFileName() + ".aside")).exists();
    Files.writeString(
        kept, "since: x\nmode: on\ndocument: 'strategy: { select: select.none-such }'\n");
    assertThat(start.persisted().endMode()).isTrue();
    assertThat(kept).content().contains("document").doesNotContain("mode");
    Files.writeString(kept, "[");
    assertThat(start.persisted().endMode()).isTrue();
    assertThat(kept).doesNotExist();
  }

  @Test
  void offLeavesAPersistedOff() throws IOException {
    String off = "since: x\nmode: off\ncalm-after: 3s\n";
    Files.writeString(kept, off);
    Start start = Start.of(file);
    assertThat(start.persisted().maySwitchOn()).isFalse();
    assertThat(start.persisted().endMode()).isFalse();
    assertThat(kept).hasContent(off);
    assertThat(Start.of(file).plugin().mode()).isEqualTo(Mode.OFF);
  }

  @Test
  void aSmallShareOfTheRequestsIsPersistedAsItIs() {
    Persisted persisted = new Persisted(kept);
    for (String value : List.of("requests 0.05%", "0.0001%", "requests 100%", "off")) {
      String text = RecordConfig.NONE.switched(value).orElseThrow().text();
      assertThat(text).isEqualTo(value);
      persisted.add(Map.of("record", text));
      assertThat(persisted.value("record")).contains(value);
    }
    assertThatThrownBy(() -> persisted.add(Map.of("record", "5.0E-4")))
        .hasMessageContaining("record");
    assertThat(persisted.value("record")).contains("off");
  }

  @Test
  void onRecordsTheSampleOfTheFileAfterAPersistedOne() throws IOException {
    Files.writeString(file, "plugin: { mode: shadow }\nrecord: { sample: 1% }\n");
    new Persisted(kept).add(Map.of("record", "requests 100%"));
    RecordConfig started = Start.of(file).record();
    assertThat(started.text()).isEqualTo("requests 100%");
    assertThat(started.switched("off").orElseThrow().text()).isEqualTo("off");
    assertThat(started.switched("on").orElseThrow().text()).isEqualTo("1%");
    RecordConfig again = started.switched("5%").orElseThrow().switched("off").orElseThrow();
    assertThat(again.switched("on").orElseThrow().text()).isEqualTo("1%");
  }

  @Test
  void largeFilesAndFoldersAreIgnored() throws IOException {
    Files.writeString(kept, "since: x\nmode: on\n" + "#".repeat(70_000));
    assertThat(Start.of(file).plugin().mode()).isEqualTo(Mode.SHADOW);
    Files.delete(kept);
    Files.createDirectory(kept);
    assertThat(Start.of(file).plugin().mode()).isEqualTo(Mode.SHADOW);
  }

  /** As below a folder that the node's user may not enter: the file may well be there. */
  @Test
  void aFileThatCannotBeCheckedIsNotTakenForNone() throws IOException {
    Path loop = folder.resolve("loop");
    Files.createSymbolicLink(loop, loop);
    Files.writeString(file, "plugin: { mode: shadow, persisted-file: loop/kept.yaml }\n");
    Start start = Start.of(file);
    assertThat(start.plugin().mode()).isEqualTo(Mode.SHADOW);
    assertThat(start.persisted().describe().get("persisted"))
        .startsWith("ignored: " + loop.resolve("kept.yaml"));
    assertThat(start.persisted().maySwitchOn()).isTrue();
    assertThatThrownBy(() -> start.persisted().remove(List.of()))
        .hasMessageContaining("not persisted");
  }

  /** Two nodes of one host with one conf folder: the one's switch would apply to the other. */
  @Test
  void aFileOfAnotherNodeIsNamed() throws IOException {
    Persisted other = new Persisted(kept, "127.0.0.77:7000");
    other.add(Map.of("mode", "on"));
    assertThat(other.describe().get("persisted")).doesNotContain("written by");
    Start start = Start.of(file);
    assertThat(start.plugin().mode()).as("as before: an address may change").isEqualTo(Mode.ON);
    assertThat(start.persisted().describe().get("persisted"))
        .contains("which was written by 127.0.0.77:7000")
        .contains("plugin.persisted-file");
    start.persisted().add(Map.of("mode", "off"));
    assertThat(start.persisted().describe().get("persisted")).doesNotContain("written by");
  }

  @Test
  void aFileWithModeOffTakesPrecedence() throws IOException {
    new Persisted(kept).add(Map.of("mode", "on"));
    Files.writeString(file, "plugin: { mode: off }\n");
    assertThat(Start.of(file).plugin().mode()).isEqualTo(Mode.OFF);
  }

  @Test
  void aRefusedFileLeavesManxOffDespitePersistedSwitches() throws IOException {
    new Persisted(kept).add(Map.of("mode", "on"));
    Files.writeString(file, "plugin: { mode: loud }\n");
    Start start = Start.of(file);
    assertThat(start.plugin().mode()).isEqualTo(Mode.OFF);
    assertThat(start.refused()).contains("manx.yaml:1: plugin.mode = 'loud'");
    assertThat(start.persisted()).isNull();
  }

  @Test
  void withoutAFileManxIsOffAndReportsTheReason() {
    Start start = Start.of(null);
    assertThat(start.plugin().mode()).isEqualTo(Mode.OFF);
    assertThat(start.refused()).isEqualTo("no manx.yaml was found");
    assertThat(start.persisted()).isNull();
  }

  @Test
  void everySettingIsComparedWhenTheFileIsReadAgain() {
    List<String> keys = new ArrayList<>();
    NodeSettings.PLUGIN.forEach(setting -> keys.add("plugin." + setting.name()));
    NodeSettings.BREAKER.forEach(setting -> keys.add("plugin.breaker." + setting.name()));
    NodeSettings.IN_FLIGHT.forEach(setting -> keys.add("plugin.in-flight." + setting.name()));
    keys.add("plugin.canary");
    assertThat(SettingRows.of(TestConfigs.defaults()).keySet())
        .containsExactlyInAnyOrderElementsOf(keys);
    assertThat(keys).containsAll(SettingRows.FIXED);
  }
}
