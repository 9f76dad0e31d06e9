/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
