/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.kind.cluster.ClusterReader;
import dev.manx.policy.config.Setting;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Options of {@code manx cluster} that are refused before anything starts. */
@Timeout(60)
class ClusterCommandTest {
  private final PrintStream err = System.err;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  @TempDir Path folder;

  @BeforeEach
  void listen() {
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void end() {
    System.setErr(err);
  }

  /** A heap of 0 would be the JVM's own choice, a quarter of the memory for each node. */
  @ParameterizedTest
  @ValueSource(strings = {"0", "1MiB", "10q", "100GiB"})
  void aHeapThatNoNodeCanHaveIsRefused(String heap) {
    assertThat(Manx.execute("cluster", "up", "--heap", heap, "--dir", folder.toString()))
        .isEqualTo(2);
    assertThat(said.toString(StandardCharsets.UTF_8))
        .contains("--heap = '" + heap + "' is invalid")
        .contains("256MiB to 64GiB");
    assertThat(folder).isEmptyDirectory();
  }

  /** The limits are those of an experiment's cluster. */
  @ParameterizedTest
  @CsvSource({"--nodes, 0", "--nodes, 10", "--concurrent-reads, 0", "--concurrent-reads, 100000"})
  void limitsAreThoseOfAnExperiment(String option, String value) {
    assertThat(Manx.execute("cluster", "up", option, value, "--dir", folder.toString()))
        .isEqualTo(2);
    assertThat(said.toString(StandardCharsets.UTF_8))
        .contains(option + " = '" + value + "' is invalid; allowed: a whole number from 1 to");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void helpHasTheLimitsAndDefaults() {
    CommandLine up = new CommandLine(new ClusterCommand.Up());
    for (Setting setting :
        List.of(ClusterReader.NODES, ClusterReader.CONCURRENT_READS, ClusterReader.HEAP)) {
      assertThat(up.getCommandSpec().findOption("--" + setting.name()).description()[0])
          .contains(setting.range())
          .contains("(default: " + setting.write(setting.standard()));
    }
  }

  @Test
  void oneNodeIsNotPlural() {
    assertThat(ClusterCommand.served(1)).isEqualTo("1 node serves CQL on 127.0.0.1");
    assertThat(ClusterCommand.served(3)).isEqualTo("3 nodes serve CQL on 127.0.0.1 to 127.0.0.3");
    assertThat(ClusterCommand.stopped(0)).isEqualTo("no node was running");
    assertThat(ClusterCommand.stopped(1)).isEqualTo("1 node stopped");
    assertThat(ClusterCommand.stopped(3)).isEqualTo("3 nodes stopped");
  }
}
