/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Commands that print one of several lists. */
class ListingCommandsTest {
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
