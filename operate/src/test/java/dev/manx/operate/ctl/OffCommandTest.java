/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class OffCommandTest {
  @Test
  void offIsACommandAndWaitsForNoNode() {
    CommandLine ctl = new CommandLine(new CtlCommand());
    assertThat(ctl.getSubcommands()).containsKey("off");
    OffCommand off = (OffCommand) ctl.getSubcommands().get("off").getCommand();
    assertThat(off.change())
        .returns("mode", Change::row)
        .returns("off", Change::value)
        .returns(true, Change::always);
    assertThat(off.what()).isEqualTo("mode off");
  }
}
