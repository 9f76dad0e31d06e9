/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  @Test
  void oneNodeIsNotPlural() {
    assertThat(ClusterCommand.served(1)).isEqualTo("1 node serves CQL on 127.0.0.1");
    assertThat(ClusterCommand.served(3)).isEqualTo("3 nodes serve CQL on 127.0.0.1 to 127.0.0.3");
    assertThat(ClusterCommand.stopped(0)).isEqualTo("no node was running");
    assertThat(ClusterCommand.stopped(1)).isEqualTo("1 node stopped");
    assertThat(ClusterCommand.stopped(3)).isEqualTo("3 nodes stopped");
  }
}
