/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayCommandTest {
  private static String refusal(String... words) {
    StringWriter said = new StringWriter();
    assertThat(Manx.commandLine().setErr(new PrintWriter(said)).execute(words)).isEqualTo(2);
    return said.toString();
  }

  @Test
  void aWidthIsOnlyOfWhatAnotherStrategyWouldDo() {
    assertThat(refusal("replay", "node.log", "--narrow-max", "5"))
        .startsWith("manx: --narrow-max needs --strategy\n");
    assertThat(refusal("replay", "node.log", "--strategy", "other.yaml", "--narrow-max", "0"))
        .contains("--narrow-max = '0' is invalid");
  }

  /** Like every other command that takes a strategy. */
  @Test
  void aPresetIsAStrategy(@TempDir Path folder) throws Exception {
    String log = Files.writeString(folder.resolve("node.log"), "no log").toString();
    assertThat(refusal("replay", log, "--strategy", "other.yaml"))
        .contains("--strategy", "or a preset: manx");
    assertThat(refusal("replay", log, "--strategy", "rein")).contains("node.log");
  }

  /** Its bytes could not be mapped at once; a node's log is smaller. */
  @Test
  void aFileLargerThanALogMayBeIsRefused(@TempDir Path folder) throws IOException {
    Path sparse = folder.resolve("huge.log");
    try (RandomAccessFile file = new RandomAccessFile(sparse.toFile(), "rw")) {
      file.setLength(3L << 30);
    }
    assertThat(refusal("replay", sparse.toString()))
        .contains("huge.log' is invalid; allowed: a decision log of a node, smaller than 2GiB");
    assertThat(refusal("advise", sparse.toString()))
        .contains("huge.log' is invalid; allowed: a decision log of a node, smaller than 2GiB");
  }

  /** The line comes first: the rest may take minutes. */
  @Test
  void whatANodesFileHasNextToItsStrategyIsNamed(@TempDir Path folder) throws Exception {
    String log = Files.writeString(folder.resolve("node.log"), "no log").toString();
    Path file = folder.resolve("manx.yaml");
    Files.writeString(file, "plugin: { mode: shadow }\nrecord:\n  mode: off\nstrategy: rein\n");
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream out = System.out;
    System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      assertThat(refusal("replay", log, "--strategy", file.toString())).contains("node.log");
    } finally {
      System.setOut(out);
    }
    assertThat(said.toString(StandardCharsets.UTF_8))
        .isEqualToIgnoringNewLines(
            "Only the strategy of " + file + " is used; ignored: plugin, record");
  }
}
