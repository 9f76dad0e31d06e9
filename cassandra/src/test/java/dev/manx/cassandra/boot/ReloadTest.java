/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.metrics.RequestLatency;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.strategy.Strategy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A reload leaves the node as a restart would. */
class ReloadTest {
  @TempDir private Path folder;
  private Path file;
  private Path kept;
  private Switches switches;
  private Reload reload;

  private Mode retried = Mode.OFF;

  @BeforeAll
  static void settings() {
    WithoutNode.settings();
  }

  @BeforeEach
  void files() throws IOException {
    file = folder.resolve("manx.yaml");
    kept = folder.resolve("manx.persisted.yaml");
    write("plugin: { mode: shadow }");
  }

  @AfterEach
  void end() {
    switches.off("");
  }

  private void write(String yaml) throws IOException {
    Files.writeString(file, yaml);
  }

  private void start() {
    Start start = Start.of(file);
    Parts parts = new Parts(start.plugin(), start.record(), () -> {});
    switches = new Switches(parts, start.strategy(), "");
    reload = reload(parts, start);
    switches.mode(start.plugin().mode());
  }

  private Reload reload(Parts parts, Start start) {
    KillFile killFile = new KillFile(() -> parts.config().killFile());
    return new Reload(parts, switches, new Builds(switches), killFile, () -> retried, start);
  }

  private String row(String name) {
    return reload.describe().get(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[",
        "since: x\nmode: on\nrecord: lots\n",
        "since: x\nmode: on\ndocument: 'strategy: { select: select.none-such }'\n",
      })
  void persistedSwitchesThatTheNodeIgnoresDoNotKeepItFromItsFile(String text) throws IOException {
    Files.writeString(kept, text);
    start();
    assertThat(row("persisted")).startsWith("ignored: ");
    write("plugin: { mode: on }\nstrategy: { select: select.lor }");
    reload.run("check");
    assertThat(switches.mode()).isEqualTo(Mode.SHADOW);
    assertThat(row("reload"))
        .contains("plugin.mode shadow -> on")
        .contains("persisted switches ignored: ")
        .contains(kept.toString());
    assertThat(reload.run("now")).contains(Mode.ON);
    assertThat(switches.mode()).isEqualTo(Mode.ON);
    assertThat(switches.strategy().names()).containsEntry("select", "select.lor");
    assertThat(row("reload")).contains("persisted switches ignored: ");
    assertThat(row("persisted")).startsWith("ignored: ");
    write("plugin: { mode: off }");
    reload.run("now");
    assertThat(switches.mode()).isEqualTo(Mode.OFF);
    assertThat(row("persisted")).startsWith("ignored: ");
  }

  /** The node would otherwise switch to ON at a reload for another reason. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "[",
        "since: x\nmode: shadow\ndocument: '"
            + "strategy: { oracles: { size: oracle.size-waiting }, fanout: fanout.rein-sbf }'\n",
      })
  void persistedSwitchesThatTheNodeUsesAreNotIgnoredSinceTheyBecameInvalid(String text)
      throws IOException {
    Files.writeString(kept, "since: x\nmode: shadow\n");
    start();
    String used = row("persisted");
    assertThat(used).startsWith("mode since x");
    write("plugin: { mode: on }\nstrategy: { select: select.lor }");
    Files.writeString(kept, text);
    WaitingPolicies.made =
        () -> {
          throw new IllegalStateException("nasty");
        };
    try {
      assertThatThrownBy(() -> reload.run("now")).isInstanceOf(ConfigException.class);
    } finally {
      WaitingPolicies.made = () -> {};
    }
    assertThat(switches.mode()).isEqualTo(Mode.SHADOW);
    assertThat(switches.strategy().names()).doesNotContainEntry("select", "select.lor");
    assertThat(row("persisted")).isEqualTo(used);
    assertThat(row("reload")).isEmpty();
    Files.writeString(kept, "since: x\nmode: shadow\n");
    reload.run("now");
    assertThat(switches.mode()).isEqualTo(Mode.SHADOW);
    assertThat(switches.strategy().names()).containsEntry("select", "select.lor");
  }

  /** As if the node's user could no longer enter the file's folder. */
  @Test
  void persistedSwitchesThatCanNoLongerBeReachedAreNotDropped() throws IOException {
    Path state = Files.createDirectory(folder.resolve("state"));
    kept = Files.writeString(state.resolve("kept.yaml"), "since: x\nmode: on\ncanary: 10%\n");
    String persisted = "persisted-file: state/kept.yaml";
    write("plugin: { mode: shadow, " + persisted + " }");
    start();
    String used = row("persisted");
    Path moved = Files.move(state, folder.resolve("moved"));
    Files.createSymbolicLink(state, state);
    write("plugin: { mode: shadow, unpage-up-to: 7, " + persisted + " }");
    assertThatThrownBy(() -> reload.run("now"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(kept.toString());
    assertThat(switches.mode()).isEqualTo(Mode.ON);
    assertThat(row("persisted")).isEqualTo(used);
    assertThat(row("reload")).isEmpty();
    assertThat(row("persisted.canary")).isEqualTo("10%");
    Files.delete(state);
    Files.move(moved, state);
    reload.run("now");
    assertThat(row("reload")).contains("unpage-up-to");
  }

  @Test
  void persistedSwitchesCorrectedSinceTakePrecedence() throws IOException {
    Files.writeString(kept, "since: x\nmode: on\nrecord: lots\n");
    start();
    Files.writeString(kept, "since: x\nmode: on\n");
    reload.run("now");
    assertThat(switches.mode()).isEqualTo(Mode.ON);
    assertThat(row("reload")).doesNotContain("ignored");
    assertThat(row("persisted")).startsWith("mode since x");
  }

  /** As at start-up. */
  @Test
  void aPersistedStrategyThatCannotBeBuiltIsIgnored() throws IOException {
    String waits = "strategy: { oracles: { size: oracle.size-waiting }, fanout: fanout.rein-sbf }";
    Files.writeString(kept, "since: x\nmode: on\ndocument: '" + waits + "'\n");
    WaitingPolicies.made =
        () -> {
          throw new IllegalStateException("nasty");
        };
    try {
      start();
      assertThat(row("persisted")).startsWith("ignored: ");
      write("plugin: { mode: on }\nstrategy: { select: select.lor }");
      reload.run("now");
    } finally {
      WaitingPolicies.made = () -> {};
    }
    assertThat(switches.mode()).isEqualTo(Mode.ON);
    assertThat(switches.strategy().names()).containsEntry("select", "select.lor");
    assertThat(row("reload")).contains("persisted switches ignored: ");
  }

  /** A strategy set by CQL clears the reason in Switches. */
  @Test
  void whyNothingCanBePersistedIsNamedAlsoAfterARepairByCql() throws IOException {
    write("plugin: { mode: loud }");
    Start start = Start.of(file);
    Parts parts = new Parts(start.plugin(), start.record(), () -> {});
    switches = new Switches(parts, start.strategy(), start.refused());
    reload = reload(parts, start);
    String why = "refused at start-up (" + file + ":1: plugin.mode = 'loud' is invalid";
    assertThatThrownBy(reload::persisted).hasMessageContaining(why);
    switches.strategy(Strategy.parse("t", "strategy: { select: select.lor }", System::nanoTime));
    assertThat(switches.refused()).isEmpty();
    assertThatThrownBy(reload::persisted).hasMessageContaining(why);
  }

  /** Otherwise the retry would undo the operator's switch, and the answer would not show it. */
  @Test
  void aModeThatTheBreakerWillRestoreCountsAsThePresentOne() throws IOException {
    start();
    switches.off("the breaker opened");
    retried = Mode.ON;
    reload.run("check");
    assertThat(row("reload"))
        .endsWith(
            "plugin.mode on -> shadow; mode stays off until the breaker tries again, in mode shadow");
    write("plugin: { mode: on }");
    reload.run("check");
    assertThat(row("reload"))
        .endsWith("nothing changes; mode stays off until the breaker tries again, in mode on");
    write("plugin: { mode: off }");
    reload.run("check");
    assertThat(row("reload")).endsWith(": plugin.mode on -> off");
  }

  /** The table of outstanding reads keeps its size until a restart. */
  @Test
  void memoryThatOnlyARestartWouldFreeIsNotGivenTwice() throws IOException {
    long share = Runtime.getRuntime().maxMemory() / 8;
    long outstanding = share * 3 / 4 / 100;
    long tables = share * 3 / 4 / RequestLatency.mostBytes(0);
    write("plugin: { mode: shadow, metrics-tables: 0, outstanding: " + outstanding + " }");
    start();
    write("plugin: { mode: shadow, outstanding: 64, metrics-tables: " + tables + " }");
    assertThatThrownBy(() -> reload.run("now"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("with what only a restart changes")
        .hasMessageContaining("an eighth of this node's heap");
    start();
    reload.run("now");
  }

  @Test
  void aRefusedFileChangesNothing() throws IOException {
    Files.writeString(kept, "[");
    start();
    write("plugin: { mode: loud }");
    assertThatThrownBy(() -> reload.run("now")).isInstanceOf(ConfigException.class);
    assertThat(switches.mode()).isEqualTo(Mode.SHADOW);
    assertThat(row("persisted")).startsWith("ignored: ");
  }
}
