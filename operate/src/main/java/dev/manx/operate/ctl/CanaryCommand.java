/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code manx ctl canary}. */
@Command(
    name = "canary",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Lets Manx act on a part of the requests, and compares it with the rest.",
      "A canary names tables and the share of their requests that Manx acts on; all other requests are left to stock, as the control group. It works while the mode is on."
    },
    footer = {
      "",
      "Examples:",
      "  ./manx ctl canary set 10%% --tables shop.carts --on production",
      "  ./manx ctl mode on --on production",
      "  ./manx ctl canary show --on production",
      "  ./manx ctl canary end --on production"
    },
    subcommands = {
      CanaryShowCommand.class,
      CanarySetCommand.class,
      CanaryEndCommand.class,
      CommandLine.HelpCommand.class
    })
final class CanaryCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "the command is missing");
  }
}
