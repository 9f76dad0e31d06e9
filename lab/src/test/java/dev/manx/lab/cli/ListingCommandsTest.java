/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.kind.Kinds;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Commands that print one of several lists. */
class ListingCommandsTest {
  /** Bare names said nothing to those who have not read of them. */
  @Test
  void everyKindOfExperimentSaysWhatItMeasures() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = System.out;
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      assertThat(Manx.execute("kinds")).isZero();
    } finally {
      System.setOut(out);
    }
    assertThat(bytes.toString(StandardCharsets.UTF_8).lines().toList())
        .hasSameSizeAs(Kinds.names())
        .allMatch(line -> line.matches("[a-z-]+ +\\w.{20,80}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "policies manx --settings",
        "policies manx --schema",
        "policies --settings --schema",
        "kinds --settings --schema"
      })
  void twoListsAtOnceAreRefused(String arguments) {
    StringWriter said = new StringWriter();
    CommandLine line = Manx.commandLine().setErr(new PrintWriter(said));
    assertThat(line.execute(arguments.split(" "))).isEqualTo(2);
    assertThat(said.toString()).contains("--settings").contains("--schema");
  }
}
