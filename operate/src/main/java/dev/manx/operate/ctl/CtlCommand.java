/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code manx ctl}. */
@Command(
    name = "ctl",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Shows and switches Manx on the nodes of a running cluster, over CQL.",
      "Each node is contacted directly, its answer is shown, and every change is read back."
    },
    footer = {
      "",
      "Clusters can have names, in ~/.config/manx/clusters.yaml:",
      "  production:",
      "    contact-points: [10.0.1.11, 10.0.2.11]",
      "    user: operator",
      "    password-file: ~/.config/manx/production.password",
      "    tls: { trust: /etc/cassandra/ca.pem }",
      "",
      "Step by step, from installing the jar to switching Manx on and off: docs/operate/operate.md"
    },
    subcommands = {
      StatusCommand.class,
      ModeCommand.class,
      OffCommand.class,
      StrategyCommand.class,
      RecordCommand.class,
      FetchLogCommand.class,
      CanaryCommand.class,
      CalmAfterCommand.class,
      ReloadCommand.class,
      ResetPersistedCommand.class,
      CommandLine.HelpCommand.class
    })
public final class CtlCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "the command is missing");
  }
}
