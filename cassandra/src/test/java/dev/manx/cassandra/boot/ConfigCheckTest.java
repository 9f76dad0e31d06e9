/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.metrics.RequestLatency;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The output of {@code java -jar} of the plugin for a file. */
class ConfigCheckTest {
  @TempDir private Path folder;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  private int check(String yaml) throws IOException {
    Path file = Files.writeString(folder.resolve("manx.yaml"), yaml);
    return ConfigCheck.run(new String[] {file.toString()}, new PrintStream(said, true, UTF_8));
  }

  @Test
  void aValidFileIsSummedUp() throws IOException {
    assertThat(check("plugin: { mode: on }\nstrategy: manx\n")).isZero();
    assertThat(said.toString(UTF_8).lines())
        .containsExactly(
            "valid: " + folder.resolve("manx.yaml"),
            "mode: on",
            "kill-file: " + folder.resolve("manx.off"),
            "persisted-file: " + folder.resolve("manx.persisted.yaml"),
            "strategy: select.low, order.boost, fanout.brb-equalmax",
            "memory of the strategy: 4MiB; least heap of a node: 256MiB");
  }

  @Test
  void theMemoryThatAStrategyNeedsIsNamed() throws IOException {
    String large = "{ policy: oracle.popularity-space-saving, memory: 512MiB }";
    assertThat(
            check(
                "strategy: { select: select.popularity-aware, oracles: { popularity: "
                    + large
                    + " } }"))
        .as(said.toString(UTF_8))
        .isZero();
    assertThat(said.toString(UTF_8))
        .contains("memory of the strategy: 512MiB; least heap of a node: 4GiB");
  }

  @Test
  void theHeapHasRoomForAllSettingsTogether() throws IOException {
    assertThat(check("plugin: { metrics-tables: 1000, outstanding: 1000000 }\n")).isZero();
    assertThat(said.toString(UTF_8)).contains("memory of the strategy: 0B; least heap of a node: ");
    long plans = 1_024L * 32 * (128 + 32 + 32);
    long metrics = RequestLatency.mostBytes(1_000);
    assertThat(heap()).isEqualTo(8 * (100_000_000L + plans + metrics));
    check("plugin: { in-flight: { bytes: 1GiB } }\n");
    assertThat(heap()).isEqualTo(4L << 30);
  }

  private long heap() {
    return NodeLimits.heapBytes(PluginConfig.load(folder.resolve("manx.yaml")).plugin(), 0);
  }

  @Test
  void aRefusedFileIsNamedWithItsLine() throws IOException {
    assertThat(check("plugin:\n  mode: onn\n")).isEqualTo(1);
    assertThat(said.toString(UTF_8))
        .contains("manx.yaml:2: plugin.mode = 'onn' is invalid; allowed: one of off, shadow, on");
    assertThat(check("plugin: {}\nstrategy: { select: select.lowest }\n")).isEqualTo(1);
    assertThat(said.toString(UTF_8)).contains("manx.yaml:2: strategy.select");
  }

  @Test
  void withoutAFileItPrintsTheUsage() {
    assertThat(ConfigCheck.run(new String[0], new PrintStream(said, true, UTF_8))).isEqualTo(2);
    assertThat(said.toString(UTF_8)).contains("usage: java -jar");
  }
}
