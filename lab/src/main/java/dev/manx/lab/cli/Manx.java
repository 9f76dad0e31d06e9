/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.QueryExecutionException;
import dev.manx.contention.squeeze.SqueezeException;
import dev.manx.lab.experiment.FileFailures;
import dev.manx.lab.experiment.RunException;
import dev.manx.load.connect.ConnectException;
import dev.manx.local.cluster.ClusterException;
import dev.manx.local.cluster.ManxHome;
import dev.manx.operate.check.CheckCommand;
import dev.manx.operate.ctl.CtlCommand;
import dev.manx.operate.look.OwnVersion;
import dev.manx.operate.top.TopCommand;
import dev.manx.operate.warm.WarmCommand;
import dev.manx.policy.config.ConfigException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Entry point of {@code ./manx}. Exit codes: 0 fine, 1 failed, 2 bad usage or configuration, 3 an
 * arm missed a bound, 130 interrupted.
 */
@Command(
    name = "manx",
    versionProvider = Manx.Build.class,
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Makes the slowest part of a fan-out request fast, on stock Apache Cassandra 5.0.",
      "",
      "Start here:",
      "  ./manx demo          three nodes: the gain and the cost of Manx; 4 minutes",
      "  ./manx policies      all available policies",
      "  ./manx run examples/cassandra-policies.yaml --quick",
      "                       stock and eight strategies on one cluster",
      "  ./manx claims        published claims, and whether they hold here",
      "  ./manx cluster up    three nodes to play with over CQL on 127.0.0.1",
      "On a cluster of your own: check, ctl, top, warm, advise; docs/operate/operate.md",
      ""
    },
    footer = {
      "",
      "Results are plain files (summary.csv, metrics.csv, timeline.csv, histograms)",
      "and one report.html in the result folder. More: docs/measure/experiments.md",
      "Exit codes: 0 success, 1 failure, 2 bad usage or configuration, 3 an arm of run",
      "missed a bound, 130 interrupted."
    },
    subcommands = {
      DemoCommand.class,
      RunCommand.class,
      ClusterCommand.class,
      ContentionCommand.class,
      PoliciesCommand.class,
      KindsCommand.class,
      ClaimsCommand.class,
      RbcServerCommand.class,
      ReportCommand.class,
      ReplayCommand.class,
      AdviseCommand.class,
      CheckCommand.class,
      CtlCommand.class,
      TopCommand.class,
      WarmCommand.class,
      CommandLine.HelpCommand.class
    })
public final class Manx implements Runnable {
  /** The version of this build. */
  static final class Build implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"manx " + OwnVersion.text()};
    }
  }

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "the command is missing");
  }

  /** Runs a command and ends the JVM with its code. */
  public static void main(String[] arguments) {
    System.exit(execute(arguments));
  }

  /** Runs a command and returns its code. */
  static int execute(String... arguments) {
    return commandLine().execute(arguments);
  }

  /** All commands, with the exit codes and messages of failures. */
  public static CommandLine commandLine() {
    CommandLine line = new CommandLine(new Manx());
    line.setOut(new CheckedOutput(line.getOut(), System.out));
    line.setExecutionStrategy(
        parsed -> {
          try {
            PolicyJarCheck.check(ManxHome.find().policies());
          } catch (ConfigException e) {
            throw new ExecutionException(line, e.getMessage(), e);
          }
          return new RunLast().execute(parsed);
        });
    line.setExecutionExceptionHandler((error, command, parsed) -> failed(error, command.getErr()));
    line.setParameterExceptionHandler((error, arguments) -> misused(error));
    return line;
  }

  /**
   * Prints the error and a pointer to the help; the whole help only for a command without its
   * subcommand.
   */
  private static int misused(ParameterException error) {
    CommandLine command = error.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("manx: " + error.getMessage());
    boolean unmatched = error instanceof UnmatchedArgumentException;
    if (command.getSubcommands().isEmpty() || unmatched) {
      UnmatchedArgumentException.printSuggestions(error, err);
      err.println("Help: ./" + command.getCommandSpec().qualifiedName() + " --help");
    } else {
      command.usage(err);
    }
    err.flush();
    return ExitCode.USAGE;
  }

  private static int failed(Exception error, PrintWriter err) {
    if (error instanceof ConfigException) {
      err.println("manx: " + error.getMessage());
      err.flush();
      return ExitCode.USAGE;
    }
    if (error instanceof InterruptedException) {
      return 130;
    }
    if (error instanceof ClusterException
        || error instanceof RunException
        || error instanceof SqueezeException
        || error instanceof ConnectException) {
      err.println("manx: " + error.getMessage());
      // Failures of the cleanup, such as restoring a node's former mode, or consequences.
      for (Throwable then : error.getSuppressed()) {
        err.println("manx: " + then.getMessage());
      }
    } else if (isOfBusyNode(error)) {
      err.println(
          "manx: a node did not do as asked: "
              + error.getMessage()
              + "; check that no node has stopped, and that no other work keeps the machine busy");
    } else if (FileFailures.words(error).isPresent()) {
      err.println("manx: " + FileFailures.words(error).get());
    } else {
      err.println("manx: failed unexpectedly; please report this:");
      error.printStackTrace(err);
    }
    err.flush();
    return ExitCode.SOFTWARE;
  }

  /** Other errors of the driver are faults of a statement, which is Manx's own. */
  private static boolean isOfBusyNode(Exception error) {
    return error instanceof DriverTimeoutException
        || error instanceof AllNodesFailedException
        || error instanceof QueryExecutionException;
  }
}
