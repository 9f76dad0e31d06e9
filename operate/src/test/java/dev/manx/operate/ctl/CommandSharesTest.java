/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Shares of the commands {@code canary set} and {@code record}. */
class CommandSharesTest {
  @Test
  void commandsRefuseABareOne() {
    assertThatThrownBy(() -> canary("1")).hasMessageContaining("1% or 100%?");
    for (String value : new String[] {"1", "requests 1"}) {
      assertThatThrownBy(() -> record(value)).as(value).hasMessageContaining("1% or 100%?");
    }
    canary("10%");
    record("requests 100%");
  }

  private static void canary(String share) {
    CanarySetCommand command = new CanarySetCommand();
    new CommandLine(command).parseArgs(share);
    command.prepare();
  }

  private static void record(String value) {
    RecordCommand command = new RecordCommand();
    new CommandLine(command).parseArgs(value);
    command.prepare();
  }
}
