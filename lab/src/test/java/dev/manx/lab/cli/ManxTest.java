/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.ArgSpec;

/** The answers to a misused command. */
class ManxTest {
  private static String err(String arguments) {
    StringWriter err = new StringWriter();
    CommandLine line = Manx.commandLine();
    line.setErr(new PrintWriter(err));
    assertThat(line.execute(arguments.isEmpty() ? new String[0] : arguments.split(" ")))
        .isEqualTo(2);
    return err.toString();
  }

  /** The usage of 40 lines hid the error. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          rbc-server --lisn=127.0.0.1:0        | --lisn                   | rbc-server
          rbc-server --servers=many            | 'many' is not an int     | rbc-server
          rbc-server --listen=0.0.0.0:0        | requires a secret        | rbc-server
          run                                  | FILE                     | run
          run a.yaml --rouns=3                 | --rouns                  | run
          policies order.best                  | unknown name             | policies
          ctl status --conect=x                | --conect                 | ctl status
          """)
  void aWrongOptionIsAnsweredInAFewLines(String arguments, String word, String command) {
    String err = err(arguments);
    assertThat(err)
        .startsWith("manx: ")
        .contains(word)
        .endsWith("Help: ./manx " + command + " --help" + System.lineSeparator());
    assertThat(err.lines().count()).isLessThanOrEqualTo(4);
  }

  @Test
  void aMisspeltCommandIsAnsweredWithThoseMeant() {
    assertThat(err("repot")).contains("repot").contains("report").doesNotContain("Usage:");
  }

  @Command(name = "slow")
  private static final class Slow implements Runnable {
    @Override
    public void run() {
      throw new DriverTimeoutException("Query timed out after PT30S");
    }
  }

  /** As when nodes make a table while all cores are in use. */
  @Test
  void aNodeThatIsTooSlowIsNoFaultToReport() {
    StringWriter err = new StringWriter();
    CommandLine manx = Manx.commandLine();
    CommandLine slow =
        new CommandLine(new Slow())
            .setExecutionExceptionHandler(manx.getExecutionExceptionHandler())
            .setErr(new PrintWriter(err));
    assertThat(slow.execute()).isEqualTo(1);
    assertThat(err.toString())
        .contains("Query timed out after PT30S; check that no node has stopped")
        .doesNotContain("please report");
  }

  /** A text that is broken elsewhere is wrapped once more, in the middle of a line. */
  @Test
  void helpIsBrokenBetweenSentencesAndNamesWhatAnOptionTakes() {
    for (CommandLine command : commands(Manx.commandLine())) {
      for (ArgSpec argument : command.getCommandSpec().args()) {
        String name = command.getCommandName() + " " + argument.paramLabel();
        List<String> lines = List.of(argument.description());
        assertThat(lines.subList(0, lines.size() - 1))
            .as("%s: %s", name, lines)
            .allMatch(line -> line.endsWith("."));
        assertThat(argument.arity().max() > 0 && argument.paramLabel().startsWith("<"))
            .as("%s: no word for its value", name)
            .isFalse();
      }
    }
  }

  private static List<CommandLine> commands(CommandLine top) {
    List<CommandLine> all = new ArrayList<>(List.of(top));
    top.getSubcommands().values().forEach(sub -> all.addAll(commands(sub)));
    return all;
  }

  /** Their help is the list of what can be asked. */
  @ParameterizedTest
  @CsvSource({"'', demo", "cluster, status", "contention, squeeze", "ctl, strategy"})
  void aCommandWithoutItsSubcommandListsThem(String arguments, String subcommand) {
    assertThat(err(arguments)).startsWith("manx: ").contains("Usage:").contains(subcommand);
  }
}
