/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ReplayCommandTest {
  private static String refusal(String... words) {
    StringWriter said = new StringWriter();
    assertThat(Manx.commandLine().setErr(new PrintWriter(said)).execute(words)).isEqualTo(2);
    return said.toString();
  }

  @Test
  void aWidthIsOnlyOfWhatAnotherStrategyWouldDo() {
    assertThat(refusal("replay", "node.log", "--narrow-max", "5")).contains("only with --strategy");
    assertThat(refusal("replay", "node.log", "--strategy", "other.yaml", "--narrow-max", "0"))
        .contains("--narrow-max = '0' is invalid");
  }
}
