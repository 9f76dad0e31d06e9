/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.own;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.experiment.OwnCluster;
import dev.manx.lab.kind.Kinds;
import dev.manx.lab.stats.BalancedOrder;
import dev.manx.load.connect.ConnectSettings;
import dev.manx.load.connect.HostPort;
import dev.manx.local.cluster.ManxHome;
import dev.manx.policy.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The settings of such a file. */
class OwnKindTest {
  private static final ManxHome HOME = ManxHome.find();
  private static final Path EXAMPLE = HOME.root().resolve("examples/own-cluster.yaml");

  @TempDir private Path folder;

  private static Choices on(boolean writes) {
    return on("test", writes);
  }

  private static Choices on(String name, boolean writes) {
    return on(name, Optional.empty(), writes);
  }

  private static Choices on(String name, Optional<String> datacenter, boolean writes) {
    ConnectSettings settings =
        new ConnectSettings(
            List.of(new HostPort("127.0.0.1", 1)),
            datacenter,
            Optional.empty(),
            Optional.empty(),
            1);
    return Choices.none().on(new OwnCluster(name, settings, writes, false));
  }

  private String read(String old, String instead, Choices choices) throws IOException {
    String text = Files.readString(EXAMPLE);
    assertThat(text).contains(old);
    Path file = Files.writeString(folder.resolve("own.yaml"), text.replace(old, instead));
    return Kinds.read(file, choices, HOME).text();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT * FROM shop.items WHERE id = ? | TRUNCATE shop.items | statements.item.cql | SELECT",
        "SELECT * FROM shop.items WHERE id = ? | DELETE FROM shop.items WHERE id = ? |"
            + " statements.item.cql | only with --allow-writes",
        "keys: [5, 20] | keys: [20, 5] | statements.page.keys[1] = '5' | from 20 to 10000",
        "keys: [5, 20] | keys: [1, 2, 3] | statements.page.keys | the least and the most",
        "keys: [5, 20] | keys: [10, 2500] | own.yaml:20: statements.page.keys[1] = '2500' | at most 2000, the rows",
        "keys: [5, 20] | keys: 2500 | statements.page.keys = '2500' | at most 2000",
        "weight: 7 | wait: 7 | statements.item.wait | valid keys: cql",
        "loads: [200/s] | loads: [70%] | loads[0] = '70%' | a rate",
        "loads: [200/s] | loads: [200/s, 200/s] | loads = | each load once",
        "mode: off | mode: absent | arms.stock.mode | one of off, shadow, on",
        "mode: off | mode: off, paging: off | arms.stock.paging | valid keys: mode, description",
        "mode: off | mode: off, dynamic-snitch: off | arms.stock.dynamic-snitch | valid keys: mode, description",
        "timeout: 5s | time-out: 5s | time-out | valid keys"
      })
  void badSettingsAreRefused(String old, String instead, String key, String allowed) {
    assertThatThrownBy(() -> read(old, instead, on(false)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(key)
        .hasMessageContaining(allowed);
  }

  @Test
  void theEstimateHasTheTimeToSampleKeys() throws IOException {
    assertThat(effort("loads: [200/s]", "loads: [200/s]")).isEqualTo("some 798 s");
    assertThat(effort("loads: [200/s]", "loads: [1/s]")).isEqualTo("some 1794 s");
  }

  @Test
  void eachArmOfARoundHasKeysOfItsOwn() {
    assertThat(OwnPlayer.keySeed(7, "stock")).isEqualTo(OwnPlayer.keySeed(7, "stock"));
    assertThat(OwnPlayer.keySeed(7, "manx"))
        .isNotEqualTo(OwnPlayer.keySeed(7, "stock"))
        .isNotEqualTo(OwnPlayer.keySeed(8, "manx"));
  }

  @Test
  void theExampleIsBalanced() {
    Experiment<?, ?> example = Kinds.read(EXAMPLE, on(false), HOME);
    assertThat(
            example.points().get(0).rounds() % BalancedOrder.rounds(example.head().arms().size()))
        .isZero();
  }

  @Test
  void aQuickRunKeepsTheTimesOfTheCommandLine() {
    Choices plain = new Choices(Map.of(), List.of(), true);
    assertThat(Kinds.read(EXAMPLE, plain.on(on(false).cluster().get()), HOME).text())
        .contains("rounds: 3\n", "warm-up: 1s\n", "window: 3s\n");
    Choices given =
        new Choices(Map.of("rounds", "5", "warm-up", "4s", "window", "6s"), List.of(), true);
    assertThat(Kinds.read(EXAMPLE, given.on(on(false).cluster().get()), HOME).text())
        .contains("rounds: 5\n", "warm-up: 4s\n", "window: 6s\n");
  }

  private String effort(String old, String instead) throws IOException {
    String text = Files.readString(EXAMPLE).replace(old, instead);
    Path file = Files.writeString(folder.resolve("effort.yaml"), text);
    return Kinds.read(file, on(false), HOME).effort();
  }

  @Test
  void anArmMayHaveTheDriversSpeculativeExecution() throws IOException {
    assertThat(read("20ms", "7ms", on(false)))
        .containsPattern("(?s)speculative:.*mode: off.*driver:.*speculative-execution: 7ms");
    assertThatThrownBy(() -> read("20ms", "fast", on(false)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("arms.speculative.driver.speculative-execution = 'fast'");
  }

  @Test
  void anInterruptedRunIsNotContinuedOnAnotherCluster() throws IOException {
    String text = Kinds.read(EXAMPLE, on("test", false), HOME).text();
    assertThat(Kinds.read(EXAMPLE, on("test", false), HOME).text()).isEqualTo(text);
    assertThat(Kinds.read(EXAMPLE, on("other", false), HOME).text()).isNotEqualTo(text);
    assertThat(Kinds.read(EXAMPLE, on("test", Optional.of("dc2"), false), HOME).text())
        .as("near another datacenter")
        .isNotEqualTo(text)
        .isNotEqualTo(Kinds.read(EXAMPLE, on("test", Optional.of("dc1"), false), HOME).text());
    Path again = Files.writeString(folder.resolve("experiment.yaml"), text);
    assertThat(Kinds.read(again, on("test", false), HOME).text()).isEqualTo(text);
  }

  @Test
  void writesMayBeAllowed() throws IOException {
    String write = "DELETE FROM shop.items WHERE id = ?";
    assertThat(read("SELECT * FROM shop.items WHERE id = ?", write, on(true))).contains(write);
  }

  @Test
  void aNamedClusterIsOnlyForFilesOfThisKind() throws IOException {
    Path demo = HOME.root().resolve("examples/demo.yaml");
    assertThatThrownBy(() -> Kinds.read(demo, on(false), HOME))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("on = 'cluster' is invalid; allowed: own-cluster with --on CLUSTER");
  }
}
