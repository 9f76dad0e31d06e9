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
    if (!Files.isRegularFile(folder.resolve("summary.csv"))) {
      throw new ConfigException(
          "report",
          0,
          "DIR",
          folder.toString(),
          ExperimentRun.wasInterrupted(folder)
              ? "the folder of a finished run; this run was interrupted, and the same experiment"
                  + " with --out continues it"
              : "a result folder that contains summary.csv");
    }
    return RunOptions.report(folder, new Terminal());
  }
}
