/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.manx.workload.result.Environment;
import dev.manx.workload.result.Histograms;
import dev.manx.workload.result.RowKey;
import dev.manx.workload.result.RowWriter;
import dev.manx.workload.result.SummaryRow;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReportCommandTest {
  @TempDir Path folder;

  private JsonNode json;

  private String refusal() {
    StringWriter said = new StringWriter();
    assertThat(
            Manx.commandLine().setErr(new PrintWriter(said)).execute("report", folder.toString()))
        .isEqualTo(2);
    return said.toString();
  }

  private static void summary(Path results, long wrong) throws IOException {
    RowKey key = new RowKey("demo", "stock", RowKey.ALL, "70%", "1", "1");
    Histogram nanos = Histograms.create();
    nanos.recordValue(1_000_000);
    try (RowWriter<SummaryRow> out = RowWriter.create(results, SummaryRow.FORMAT)) {
      for (RowKey one : List.of(key, key.withRound(RowKey.ALL).withSeed(RowKey.ALL))) {
        out.append(SummaryRow.of(one, 1, 0, wrong, 1, nanos));
      }
    }
  }

  private int exitCode(long wrong, String check) throws IOException {
    Path results = Files.createTempDirectory(folder, "results");
    summary(results, wrong);
    new Environment("", 2, 1, "os", "1", "cpu", "jvm", "abc", Map.of("check: order", check))
        .write(results);
    int code = Manx.commandLine().execute("report", results.toString());
    json = new ObjectMapper().readTree(results.resolve("report.json").toFile());
    return code;
  }

  @Test
  void wrongResultsAreAFailure() throws IOException {
    assertThat(exitCode(0, "holds in all 3 runs")).isZero();
    assertThat(json.get("wrong")).isEmpty();
    assertThat(exitCode(1, "holds in all 3 runs")).isEqualTo(1);
    assertThat(json.get("wrong").get(0).asText()).startsWith("stock at 70% returned 1 wrong");
    assertThat(exitCode(0, "FAILS in 1 of 3 runs")).isEqualTo(1);
    assertThat(json.get("wrong").get(0).asText()).isEqualTo("check order FAILS in 1 of 3 runs");
    assertThat(json.get("warnings").get(0).get("sentence").asText())
        .isEqualTo("The results cannot be right: check order FAILS in 1 of 3 runs.");
  }

  /** As for results that another user made. */
  @Test
  void theTableIsPrintedEvenIfThePageCannotBeWritten() throws IOException {
    summary(folder, 0);
    Files.createDirectories(folder.resolve("report.html/in the way"));
    StringWriter said = new StringWriter();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(out, true, UTF_8));
    try {
      assertThat(
              Manx.commandLine().setErr(new PrintWriter(said)).execute("report", folder.toString()))
          .isEqualTo(1);
    } finally {
      System.setOut(before);
    }
    assertThat(out.toString(UTF_8)).contains("P99 ms").doesNotContain("report: ");
    assertThat(said.toString()).contains("report.html").doesNotContain("please report");
  }

  @ParameterizedTest
  @ValueSource(strings = {"run", "report", "demo"})
  void theHelpListsTheExitCodes(String command) {
    StringWriter help = new StringWriter();
    Manx.commandLine().setOut(new PrintWriter(help)).execute(command, "--help");
    assertThat(help.toString()).contains("Exit codes:").contains("an arm missed a bound");
  }

  @Test
  void anInterruptedRunHasNoReportYet() throws IOException {
    assertThat(refusal()).contains("a result folder that contains summary.csv");
    Files.writeString(folder.resolve("turns.jsonl"), "");
    assertThat(refusal()).contains("this run was interrupted").contains("--out continues it");
  }

  /** A run that fails after whole rounds has rows that look complete. */
  @Test
  void aFailedRunIsNotReportedAsComplete() throws IOException {
    summary(folder, 0);
    assertThat(Manx.commandLine().execute("report", folder.toString())).isZero();
    Files.writeString(folder.resolve("turns.jsonl"), "");
    assertThat(refusal()).contains("has failed").contains("--out continues it");
  }
}
