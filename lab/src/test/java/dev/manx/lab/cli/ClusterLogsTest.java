/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.load.connect.ConnectException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ClusterLogsTest {
  private static ClusterLogs parsed(String... arguments) {
    ClusterLogs logs = new ClusterLogs();
    new CommandLine(logs).parseArgs(arguments);
    return logs;
  }

  /** Nodes would have recorded for the whole time before the error. */
  @Test
  void aFolderThatCannotBeWrittenToIsFoundBeforeAnythingElse(@TempDir Path folder)
      throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    for (Path logs : List.of(file, file.resolve("below"))) {
      ClusterLogs options = parsed("--on=127.0.0.1:9", "--record=5s", "--logs=" + logs);
      assertThatThrownBy(() -> options.fetch(new Terminal()))
          .isInstanceOf(ConnectException.class)
          .hasMessageStartingWith("nothing was fetched: ")
          .hasMessageContaining(logs.toString())
          .hasMessageNotContaining("Exception");
    }
    StringWriter said = new StringWriter();
    Path out = file.resolve("out");
    assertThat(
            Manx.commandLine()
                .setErr(new PrintWriter(said))
                .execute("advise", "--on=127.0.0.1:9", "--record=5s", "--out=" + out))
        .isEqualTo(1);
    assertThat(said.toString()).contains(file.toString());
  }

  /** It may be meant as 1%, and recorded every request of the cluster. */
  @Test
  void aBareOneIsNoShare() {
    StringWriter said = new StringWriter();
    assertThat(
            Manx.commandLine()
                .setErr(new PrintWriter(said))
                .execute("advise", "--on=127.0.0.1:9", "--record=5s", "--sample=1"))
        .isEqualTo(2);
    assertThat(said.toString()).contains("--sample = '1' is invalid", "1% or 100%?");
  }

  /** Advice for one datacenter must not switch the other. */
  @Test
  void adviceIsForTheDatacenterThatWasRecorded() {
    assertThat(parsed("--on=production", "--dc=dc1").target())
        .isEqualTo("--on production --dc dc1");
    assertThat(parsed("--on=production").target()).isEqualTo("--on production");
    assertThat(parsed().target()).isEqualTo("--on CLUSTER");
  }
}
