/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import dev.manx.lab.experiment.ExperimentRun;
import dev.manx.policy.config.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code manx report}: writes a report from result files alone. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description = "Writes report.html of a result folder again, and prints its table and verdict.",
    exitCodeListHeading = RunOptions.EXIT_CODES,
    exitCodeList = {RunOptions.EXIT_0, RunOptions.EXIT_1, RunOptions.EXIT_2, RunOptions.EXIT_3})
final class ReportCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "A result folder of `run` or `demo`.")
  private Path folder;

  @Override
  public Integer call() throws Exception {
    if (ExperimentRun.wasInterrupted(folder)) {
      throw refused(
          "the folder of a finished run; this run was interrupted or has failed, and the same"
              + " experiment with --out continues it");
    }
    if (!Files.isRegularFile(folder.resolve("summary.csv"))) {
      throw refused("a result folder that contains summary.csv");
    }
    return RunOptions.report(folder, new Terminal());
  }

  private ConfigException refused(String allowed) {
    return new ConfigException("report", 0, "DIR", folder.toString(), allowed);
  }
}
