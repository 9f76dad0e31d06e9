/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RbcServerCommandTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "--listen=0.0.0.0:0",
        "--listen=here",
        "--listen=127.0.0.1:70000",
        "--listen=no.such.host.invalid:7411",
        "--keep=tomorrow",
        "--keep=1ms",
        "--max-body=1B",
        "--max-backends=0",
        "--secret-file=/nowhere/at/all",
        "--secret-file=/",
        "--self-test --servers=0",
        "--self-test --interval=1h",
        "--self-test --listen=127.0.0.1:0",
        "--rate=10",
        "--listen=127.0.0.1:0 --length=1s"
      })
  void refusesInvalidArguments(String arguments) {
    String[] all = ("rbc-server " + arguments).split(" ", -1);
    assertThat(Manx.execute(all)).isEqualTo(2);
  }

  /** It is sent with every exchange, so it is as good as a password. */
  @ParameterizedTest
  @CsvSource({"rw-------,false", "rw-r--r--,true"})
  void aSecretThatOthersCanReadGivesAWarning(
      String permissions, boolean warns, @TempDir Path folder) throws IOException {
    Path secret = Files.writeString(folder.resolve("rbc.secret"), "0123456789abcdef\n");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString(permissions));
    StringWriter said = new StringWriter();
    assertThat(
            Manx.commandLine()
                .setErr(new PrintWriter(said))
                .execute(
                    "rbc-server", "--listen=no.such.host.invalid:7411", "--secret-file=" + secret))
        .isEqualTo(2);
    assertThat(said.toString().contains("other users can read the secret file " + secret))
        .isEqualTo(warns);
  }

  /** Other users can see the arguments of a process. */
  @Test
  void theHelpKeepsTheSecretOutOfTheProcessList() {
    StringWriter help = new StringWriter();
    Manx.commandLine().setOut(new PrintWriter(help)).execute("rbc-server", "--help");
    assertThat(help.toString())
        .contains("printf 'Authorization: Bearer %s' \"$(cat rbc.secret)\" |")
        .contains("curl -H @- http");
  }

  @Test
  void testsItself() {
    assertThat(
            Manx.execute(
                "rbc-server",
                "--self-test",
                "--servers=2",
                "--rate=50",
                "--interval=200ms",
                "--length=400ms"))
        .isZero();
  }
}
