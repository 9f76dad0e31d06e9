/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** An error names the options to add or to leave out, not one as the value of another. */
class OptionCombinationsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "check | give either --on CLUSTER or --home DIR",
        "check --on=127.0.0.1:9 --home=/x | give either --on CLUSTER or --home DIR, not both",
        "check --on=127.0.0.1:9 --conf=/x | --conf needs --home",
        "check --home=/x --tls | --tls needs --on",
        "check --home=/x --dc=dc1 | --dc needs --on",
        "advise | give --on CLUSTER or the logs of all nodes",
        "advise a.log --on=127.0.0.1:9 | give --on CLUSTER or the logs of all nodes, not both",
        "advise a.log --sample=10% | --sample needs --on",
        "advise --on=127.0.0.1:9 --sample=10% | --sample needs --record",
        "run a.yaml --allow-writes | --allow-writes needs --on",
        "kinds --settings --schema | give --settings or --schema, not both",
        "policies manx --schema | give only one of NAME, --settings and --schema",
        "rbc-server --rate=10 | --rate needs --self-test",
        "rbc-server --self-test --keep=1s | --keep cannot be combined with --self-test",
      })
  void theErrorSaysWhatToGive(String arguments, String error) {
    StringWriter said = new StringWriter();
    assertThat(Manx.commandLine().setErr(new PrintWriter(said)).execute(arguments.split(" ", -1)))
        .isEqualTo(2);
    String command = arguments.split(" ", 2)[0];
    assertThat(said).hasToString("manx: %s%nHelp: ./manx %s --help%n".formatted(error, command));
  }

  @Test
  void adviceThatIsRefusedLeavesNoFolder(@TempDir Path parent) {
    Path out = parent.resolve("advice");
    CommandLine quiet = Manx.commandLine().setErr(new PrintWriter(new StringWriter()));
    assertThat(quiet.execute("advise", "--out=" + out)).isEqualTo(2);
    assertThat(out).doesNotExist();
  }
}
