/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportCommandTest {
  @TempDir Path folder;

  private String refusal() {
    StringWriter said = new StringWriter();
    assertThat(
            Manx.commandLine().setErr(new PrintWriter(said)).execute("report", folder.toString()))
        .isEqualTo(2);
    return said.toString();
  }

  @Test
  void anInterruptedRunHasNoReportYet() throws IOException {
    assertThat(refusal()).contains("a result folder that contains summary.csv");
    Files.writeString(folder.resolve("turns.jsonl"), "");
    assertThat(refusal()).contains("this run was interrupted").contains("--out continues it");
  }
}
