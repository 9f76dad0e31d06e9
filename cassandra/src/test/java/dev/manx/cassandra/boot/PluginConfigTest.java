/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.cassandra.canary.CanaryConfig;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.record.RecordConfig;
import dev.manx.policy.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PluginConfigTest {
  @TempDir Path folder;

  @Test
  void anEmptyPluginSectionMeansShadowAndTheKillFileNextToTheSettings() throws IOException {
    PluginConfig.Loaded loaded = load("strategy: { select: select.low }");
    assertThat(loaded.plugin().mode()).isEqualTo(Mode.SHADOW);
    assertThat(loaded.plugin().killFile()).isEqualTo(folder.resolve("manx.off"));
    assertThat(loaded.plugin().unpageUpTo()).isEqualTo(256);
    assertThat(loaded.strategy()).isPresent();
  }

  @Test
  void everySettingIsRead() throws IOException {
    PluginConfig plugin =
        load("""
                plugin:
                  mode: on
                  kill-file: /tmp/off
                  unpage-up-to: 0
                  widest-request: 200
                  nodes: 64
                  outstanding: 1000
                  breaker: { failures: 3, window: 5s, retry-after: 0ns }
                  in-flight: { keys: 500, bytes: 1MiB }
                  learn-from-writes: false
                  calm-after: 250ms
                  rack-price: 1ms
                  severity-price: 2ms
                  metrics-tables: 7
                  canary: { keyspaces: [a], tables: [b.c], share: 5% }
                  persisted-file: /tmp/persisted
                  hold-retries: false
                """)
            .plugin();
    assertThat(plugin)
        .isEqualTo(
            new PluginConfig(
                Mode.ON,
                Path.of("/tmp/off"),
                0,
                200,
                64,
                1000,
                3,
                5_000_000_000L,
                0,
                500,
                1 << 20,
                false,
                false,
                250_000_000L,
                1_000_000L,
                2_000_000L,
                7,
                new CanaryConfig(Map.of("a", Set.of(), "b", Set.of("c")), 0.05),
                Path.of("/tmp/persisted")));
  }

  @Test
  void relativePathsStartAtTheFolderOfTheSettings() throws IOException {
    PluginConfig.Loaded loaded =
        load(
            """
            plugin: { kill-file: stop, persisted-file: kept/switches.yaml }
            record: { file: decisions }
            """);
    assertThat(loaded.plugin().killFile()).isEqualTo(folder.resolve("stop"));
    assertThat(loaded.plugin().persistedFile()).isEqualTo(folder.resolve("kept/switches.yaml"));
    assertThat(loaded.record().file()).isEqualTo(folder.resolve("decisions"));
  }

  @Test
  void nothingIsRecordedByDefault() throws IOException {
    RecordConfig record = load("plugin: { mode: on }").record();
    assertThat(record.on()).isFalse();
    assertThat(record.file()).isEqualTo(folder.resolve("manx-decisions.log"));
  }

  @Test
  void theRecordSectionIsRead() throws IOException {
    RecordConfig record =
        load("record: { mode: on, file: /tmp/log, max-size: 1MiB, sample: 5% }").record();
    assertThat(record).isEqualTo(new RecordConfig(true, Path.of("/tmp/log"), 1 << 20, 0.05));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "plugin: { mode: sometimes }|manx.yaml:1: plugin.mode = 'sometimes'|one of off, shadow, on",
        "plugin: { nodes: 0 }|plugin.nodes = '0'|from 1 to 10000",
        "plugin: { breaker: { window: 5 } }|plugin.breaker.window = '5'|a duration",
        "plugin: { breaker: { retry-after: 25h } }|plugin.breaker.retry-after = '25h'|to 24h",
        "plugin: { in-flight: { keys: 0 } }|plugin.in-flight.keys = '0'|from 1 to 16777216",
        "plugin: { in-flight: { rows: 1 } }|plugin.in-flight.rows|unknown key",
        "plugin: { colour: red }|plugin.colour|unknown key",
        "plugin: { canary: { share: 110% } }|plugin.canary.share = '110%'|a share",
        "plugin: { canary: { tables: [t] } }|plugin.canary.tables[0] = 't'|keyspace.table",
        "plugin: { canary: { keyspaces: [a-b] } }|plugin.canary.keyspaces[0]|a keyspace",
        "plugin: { canary: }|plugin.canary = ''|a value; without one, remove the key",
        "plugin: { canary: { tables: [a.b], share: } }|plugin.canary.share = ''|a value",
        "plugin: { canary: { colour: red } }|plugin.canary.colour|unknown key",
        "record: { mode: loud }|record.mode = 'loud'|one of off, on",
        "record: { max-size: 1KiB }|record.max-size = '1KiB'|64KiB to 1GiB",
        "record: { sample: 0 }|record.sample = '0'|a share",
        "record: { colour: red }|record.colour: unknown key|mode, file, max-size, sample",
        "plugins: {}|plugins|unknown key",
        "[1, 2]|document|a YAML mapping",
        "plugin: &x { breaker: *x }|aliases|well-formed YAML",
      })
  void aWrongSettingIsRefusedWithFileKeyValueAndRange(String text, String where, String allowed) {
    assertThatThrownBy(() -> load(text))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("manx.yaml")
        .hasMessageContaining(where)
        .hasMessageContaining(allowed);
  }

  @Test
  void aMissingFileIsRefused() {
    assertThatThrownBy(() -> PluginConfig.load(folder.resolve("none.yaml")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("none.yaml");
  }

  private PluginConfig.Loaded load(String text) throws IOException {
    Path file = folder.resolve("manx.yaml");
    Files.writeString(file, text);
    return PluginConfig.load(file);
  }
}
