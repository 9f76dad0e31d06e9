/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.experiment.FileFailures;
import dev.manx.workload.result.RowKey;
import dev.manx.workload.result.RowWriter;
import dev.manx.workload.result.SummaryRow;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Result folders that cannot be read: a sentence, and no request to report it. */
class FileFailuresTest {
  @TempDir Path folder;

  private static String refusal(String... command) {
    return refusal(1, command);
  }

  private static String refusal(int code, String... command) {
    StringWriter said = new StringWriter();
    CommandLine line = Manx.commandLine().setErr(new PrintWriter(said));
    assertThat(line.execute(command)).isEqualTo(code);
    assertThat(said.toString()).doesNotContain("please report");
    return said.toString();
  }

  @Test
  void aRunThatDidNotEndCanBeContinued() throws Exception {
    double none = Double.NaN;
    try (RowWriter<SummaryRow> rows = RowWriter.create(folder, SummaryRow.FORMAT)) {
      RowKey key = new RowKey("e", "stock", RowKey.ALL, "70%", "1", "1");
      rows.append(new SummaryRow(key, 9, 0, 0, 9, 1, 1, 1, 1, 1, 1, 1, none, none));
    }
    assertThat(refusal("report", folder.toString()))
        .contains("did not end, and the same experiment with --out continues it");
  }

  @Test
  void aDamagedFileIsNamedWithItsLine() throws Exception {
    Files.writeString(folder.resolve("summary.csv"), "nonsense\n");
    assertThat(refusal("report", folder.toString())).contains("summary.csv:1: ");
  }

  @Test
  void anExperimentFileThatCannotBeReadSaysWhy() throws Exception {
    Path none = folder.resolve("none.yaml");
    assertThat(refusal(2, "run", none.toString()))
        .isEqualTo("manx: " + none + ": cannot be read: no such file or folder\n");
    assertThat(refusal(2, "run", folder.toString()))
        .isEqualTo("manx: " + folder + ": cannot be read: Is a directory\n");
    Path latin = folder.resolve("latin.yaml");
    Files.write(latin, new byte[] {'a', ':', ' ', (byte) 0xe4, '\n'});
    assertThat(refusal(2, "run", latin.toString()))
        .isEqualTo("manx: " + latin + ": cannot be read: it is not text in UTF-8\n");
  }

  @Test
  void resultsThatAreNotTextAreNamed() throws Exception {
    Files.write(folder.resolve("summary.csv"), new byte[] {(byte) 0xe4, '\n'});
    assertThat(refusal("report", folder.toString()))
        .contains("summary.csv:1: the file is not text in UTF-8");
  }

  @Test
  void anErrorOfTheFileSystemSaysWhichItIs() {
    assertThat(FileFailures.words(new NoSuchFileException("a")))
        .hasValue("a: no such file or folder");
    assertThat(FileFailures.words(new UncheckedIOException(new AccessDeniedException("a"))))
        .hasValue("a: permission denied");
    assertThat(FileFailures.words(new IOException("No space left on device")))
        .hasValue("No space left on device");
    assertThat(FileFailures.words(new IOException())).isEmpty();
    assertThat(FileFailures.words(new IllegalStateException("a bug"))).isEmpty();
  }
}
