/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.metrics.RequestLatency;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.Units;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;

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
  void aFileThatCannotBeRead() throws IOException {
    Path missing = folder.resolve("missing.yaml");
    Path latin = folder.resolve("latin.yaml");
    Files.write(latin, new byte[] {'#', (byte) 0xe9});
    PrintStream out = new PrintStream(said, true, UTF_8);
    for (Path file : List.of(missing, folder, latin)) {
      assertThat(ConfigCheck.run(new String[] {file.toString()}, out)).isEqualTo(1);
    }
    assertThat(said.toString(UTF_8).lines())
        .containsExactly(
            missing + ": cannot be read: no such file or folder",
            folder + ": cannot be read: Is a directory",
            latin + ": cannot be read: it is not text in UTF-8");
  }

  /** With {@code java -jar} nothing but the plugin's jar is there, not even a logger. */
  @Test
  void theJarAloneChecksAFile() throws Exception {
    Path file = folder.resolve("manx.yaml");
    Files.writeString(file, "plugin: { mode: shadow, canary: 10% }\nstrategy: manx-tied\n");
    try (URLClassLoader jar =
        new URLClassLoader(inTheJar(), ClassLoader.getPlatformClassLoader())) {
      Method run =
          jar.loadClass(ConfigCheck.class.getName())
              .getDeclaredMethod("run", String[].class, PrintStream.class);
      run.setAccessible(true);
      assertThat(
              run.invoke(null, new String[] {file.toString()}, new PrintStream(said, true, UTF_8)))
          .isEqualTo(0);
      assertThat(said.toString(UTF_8)).contains("least heap of a node");
      Files.writeString(
          folder.resolve("manx.persisted.yaml"), "since: '2026-01-01T00:00:00Z'\nmode: 'on'\n");
      run.invoke(null, new String[] {file.toString()}, new PrintStream(said, true, UTF_8));
      assertThat(said.toString(UTF_8)).contains("persisted: mode since").contains("\nmode: on\n");
    }
  }

  /** Manx's classes and those of its YAML reader, which the jar contains. */
  private static URL[] inTheJar() throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (Class<?> one : List.of(ConfigCheck.class, ConfigException.class, Load.class)) {
      urls.add(one.getProtectionDomain().getCodeSource().getLocation());
    }
    return urls.toArray(URL[]::new);
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
  void aStrategyWithoutAnOrderNeedsNoTimeout() throws IOException {
    assertThat(check("strategy: { select: select.lor }\n")).isZero();
    assertThat(said.toString(UTF_8)).doesNotContain("max-wait");
  }

  /** If the node lacks it, it ignores all persisted switches. */
  @Test
  void theNeedsOfAPersistedStrategyAreNamed() throws IOException {
    String since = "since: '2026-01-01T00:00:00Z'\n";
    Path persisted = folder.resolve("manx.persisted.yaml");
    Files.writeString(
        persisted,
        since + "document: 'strategy: { order: { policy: order.bottleneck, max-wait: 4s } }'\n");
    assertThat(check("plugin: {}\nstrategy: rein\n")).isZero();
    assertThat(said.toString(UTF_8).lines())
        .contains("max-wait: 500ms; least read_request_timeout of a node: 1s")
        .endsWith("persisted needs: heap 256MiB, read_request_timeout 8s for max-wait 4s");
    Files.writeString(persisted, since + "mode: shadow\n");
    said.reset();
    assertThat(check("plugin: {}\n")).isZero();
    assertThat(said.toString(UTF_8)).contains("persisted: mode").doesNotContain("persisted needs");
  }

  /** The file of persisted switches is readable by its owner only, which is not a fault of it. */
  @Test
  void persistedSwitchesThatThisUserMayNotReadAreNotCalledIgnored() throws IOException {
    assertThat(ConfigCheck.unused("p.yaml: cannot be read: permission denied"))
        .isEqualTo(
            "not checked: p.yaml: cannot be read: permission denied; run this as Cassandra's user");
    Files.writeString(folder.resolve("manx.persisted.yaml"), "mood: on\n");
    assertThat(check("plugin: {}\n")).isZero();
    assertThat(said.toString(UTF_8)).contains("persisted: ignored: ");
  }

  @Test
  void theHeapHasRoomForAllSettingsTogether() throws IOException {
    assertThat(check("plugin: { metrics-tables: 1000, outstanding: 1000000 }\n")).isZero();
    assertThat(said.toString(UTF_8)).contains("memory of the strategy: 0B; least heap of a node: ");
    long plans = (32 * (112 + 3 * 28) + 1_024L * 36) * (128 + 32 + 32);
    long metrics = RequestLatency.mostBytes(1_000);
    assertThat(heap() - 8 * (100_000_000L + plans + metrics)).isBetween(0L, (1L << 20) - 1);
    check("plugin: { in-flight: { bytes: 1GiB } }\n");
    assertThat(heap()).isEqualTo(4L << 30);
  }

  private long heap() {
    return NodeLimits.heapBytes(PluginConfig.load(folder.resolve("manx.yaml")).plugin(), 0, 192);
  }

  /** A node checks the file with its own number of threads. */
  @Test
  void theHeapHasRoomForThePlansOfAllRequestThreads() throws IOException {
    Path file = Files.writeString(folder.resolve("manx.yaml"), "plugin: {}\n");
    PrintStream out = new PrintStream(said, true, UTF_8);
    assertThat(ConfigCheck.run(new String[] {file.toString()}, 2_048 + 128 + 128, out)).isZero();
    long plans = (32 * (112 + 3 * 28) + 1_024L * 36) * (2_048 + 128 + 128);
    long heap = NodeLimits.heapBytes(PluginConfig.load(file).plugin(), 0, 2_048 + 128 + 128);
    assertThat(heap).isGreaterThan(8 * plans).isLessThan(8 * plans + (100L << 20));
    assertThat(said.toString(UTF_8)).contains("least heap of a node: " + Units.bytes(heap));
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
