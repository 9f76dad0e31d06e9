/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.cassandra.control.Mode;
import dev.manx.policy.config.Units;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a node says about itself, without a node. */
@Timeout(60)
class PluginStatusTest {
  @TempDir private Path folder;
  private Path file;
  private Path killFile;
  private Plugin plugin;

  @BeforeAll
  static void settings() {
    WithoutNode.settings();
  }

  @BeforeEach
  void files() throws IOException {
    file = folder.resolve("manx.yaml");
    killFile = Files.createFile(folder.resolve("manx.off"));
  }

  @AfterEach
  void end() {
    plugin.mode(Mode.OFF);
  }

  private void start(String yaml) throws IOException {
    Files.writeString(file, yaml);
    plugin = new Plugin(Start.of(file));
    if (plugin.status().get("trouble").isEmpty()) {
      plugin.takeUpMode();
    }
  }

  private String trouble() {
    return plugin.status().get("trouble");
  }

  @ParameterizedTest
  @ValueSource(strings = {"shadow", "on"})
  void aNodeThatStartsWithItsKillFileSaysWhyItIsOff(String mode) throws IOException {
    start("plugin: { mode: %s }".formatted(mode));
    assertThat(plugin.mode()).isEqualTo(Mode.OFF);
    assertThat(trouble()).isEqualTo("the kill file " + killFile + " exists");
    assertThatThrownBy(() -> plugin.mode(Mode.SHADOW)).hasMessageContaining("kill file");
    assertThat(trouble()).contains("kill file");
    Files.delete(killFile);
    plugin.mode(Mode.SHADOW);
    assertThat(plugin.mode()).isEqualTo(Mode.SHADOW);
    assertThat(trouble()).isEmpty();
  }

  @Test
  void aNodeThatIsToBeOffNamesItsKillFileOnlyWhileItIsThere() throws IOException {
    start("plugin: { mode: off }");
    plugin.reload("now");
    assertThatThrownBy(() -> plugin.mode(Mode.SHADOW)).hasMessageContaining("kill file");
    assertThat(trouble()).as("no other mode is possible").contains("kill file");
    Files.delete(killFile);
    plugin.mode(Mode.SHADOW);
    plugin.mode(Mode.OFF);
    assertThat(trouble()).isEmpty();
  }

  /** The file overrides a persisted mode, and only an operator's switch to off ends it. */
  @Test
  void aFileWithModeOffLeavesThePersistedModeOnDisk() throws IOException {
    Files.delete(killFile);
    Path kept = folder.resolve("manx.persisted.yaml");
    String on = "since: x\nmode: on\n";
    Files.writeString(kept, on);
    start("plugin: { mode: off }");
    assertThat(plugin.mode()).isEqualTo(Mode.OFF);
    assertThat(kept).hasContent(on);
    assertThat(plugin.status()).as("a start counts").containsEntry("switches", "1");
    plugin.mode(Mode.OFF);
    assertThat(kept).as("an operator's").doesNotExist();
    assertThat(plugin.status()).containsEntry("switches", "2");
  }

  @Test
  void aFileWithModeOffLeavesPersistedSwitchesThatAreIgnored() throws IOException {
    Files.delete(killFile);
    Path kept = Files.writeString(folder.resolve("manx.persisted.yaml"), "[");
    start("plugin: { mode: off }");
    assertThat(plugin.status().get("persisted")).startsWith("ignored: ");
    assertThat(kept).hasContent("[");
    assertThat(kept.resolveSibling(kept.getFileName() + ".aside")).doesNotExist();
  }

  /** As below a folder that the node's user may not enter. */
  @Test
  void aKillFileThatCannotBeCheckedForbidsToSwitchOn() throws IOException {
    Files.createSymbolicLink(folder.resolve("loop"), folder.resolve("loop"));
    String why = "cannot tell whether the kill file " + folder.resolve("loop/off") + " exists: ";
    start("plugin: { mode: shadow, kill-file: loop/off }");
    assertThat(plugin.mode()).isEqualTo(Mode.OFF);
    assertThat(trouble()).startsWith(why);
    assertThatThrownBy(() -> plugin.mode(Mode.ON))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith(why);
    Files.delete(folder.resolve("loop"));
    plugin.mode(Mode.ON);
    assertThat(trouble()).isEmpty();
    Files.createSymbolicLink(folder.resolve("loop"), folder.resolve("loop"));
    assertThatThrownBy(() -> plugin.reload("now")).hasMessageStartingWith(why);
    assertThat(plugin.mode()).isEqualTo(Mode.ON);
    Files.writeString(file, "plugin: { mode: off, kill-file: loop/off }");
    plugin.reload("now");
    assertThat(plugin.mode()).isEqualTo(Mode.OFF);
  }

  @Test
  void theKillFileOfARefusedFileHolds() throws IOException {
    Files.move(killFile, folder.resolve("it's off"));
    start("plugin: { mode: on, kill-file: \"it's off\", nodes: many }");
    assertThat(trouble()).contains("plugin.nodes = 'many'");
    plugin.document("strategy: { select: select.lor }");
    assertThatThrownBy(() -> plugin.mode(Mode.ON))
        .hasMessageContaining("the kill file " + folder.resolve("it's off") + " exists");
    Files.delete(folder.resolve("it's off"));
    plugin.mode(Mode.ON);
    assertThat(plugin.mode()).isEqualTo(Mode.ON);
  }

  @Test
  void aFileThatDoesNotShowItsKillFileMustBeReloadedFirst() throws IOException {
    Files.move(killFile, folder.resolve("custom.off"));
    start("plugin: { mode: on, kill-file: custom.off");
    plugin.document("strategy: { select: select.lor }");
    assertThatThrownBy(() -> plugin.mode(Mode.ON))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("the kill file is unknown: ");
    assertThat(plugin.mode()).isEqualTo(Mode.OFF);
    Files.writeString(file, "plugin: { mode: on, kill-file: custom.off }");
    plugin.reload("now");
    assertThatThrownBy(() -> plugin.mode(Mode.ON)).hasMessageContaining("custom.off exists");
    Files.delete(folder.resolve("custom.off"));
    plugin.mode(Mode.ON);
    assertThat(plugin.mode()).isEqualTo(Mode.ON);
  }

  /** A corrected file is taken up at once, but the kill file forbids its mode. */
  @Test
  void aCorrectedFileThatTheKillFileKeepsOffSaysSo() throws IOException {
    start("plugin: { mode: loud }");
    assertThat(trouble()).contains("loud");
    Files.writeString(file, "plugin: { mode: shadow }");
    plugin.reload("now");
    assertThat(plugin.mode()).isEqualTo(Mode.OFF);
    assertThat(trouble()).isEqualTo("the kill file " + killFile + " exists");
    assertThat(plugin.status().get("reload"))
        .endsWith("the configuration says shadow: the kill file " + killFile + " exists");
    Files.delete(killFile);
    plugin.reload("check");
    assertThat(plugin.status().get("reload")).endsWith("shadow: ./manx ctl mode switches it");
  }

  /** The first is never calm, the second acts on single reads too. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "plugin: { mode: on, calm-after: 0 }\nstrategy: manx",
        "plugin: { mode: on }\nstrategy: manx-hedged"
      })
  void aNodeThatPlansAllRequestsDoesNotClaimThatReadsWait(String yaml) throws IOException {
    Files.delete(killFile);
    start(yaml);
    while (plugin.status().get("queues").startsWith("one was seen ")) {
      assertThat(Thread.interrupted()).as("the time is up").isFalse();
    }
    assertThat(plugin.status().get("queues"))
        .startsWith("no read has waited for ")
        .endsWith(": requests are planned nevertheless");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0s", "250ms", "1.0005s", "1234567us", "1h"})
  void calmAfterIsShownExactly(String duration) throws IOException {
    start("plugin: { mode: off }");
    plugin.calmAfter(duration);
    assertThat(Units.durationNanos(plugin.status().get("calm-after")))
        .isEqualTo(Units.durationNanos(duration));
  }
}
