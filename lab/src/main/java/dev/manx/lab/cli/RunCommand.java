/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code manx run}: any experiment. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Runs an experiment file: boots its cluster, measures its arms in interleaved rounds,",
      "stops the nodes, prints a verdict and writes a report.",
      "examples/reference.yaml and docs/measure/experiments.md explain the settings."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done; every bound of the experiment was held, or not shown to be missed",
      "1:something failed",
      "2:refused: the command line or the file",
      "3:an arm missed a bound of the experiment"
    },
    footer = {
      "",
      "Examples:",
      "  ./manx run examples/cassandra-policies.yaml --arms stock,low,manx",
      "  ./manx run examples/demo.yaml --loads 50%%,70%% --seeds 1,2,3",
      "  ./manx run examples/demo.yaml --quick --set cluster.concurrent-reads=4"
    })
final class RunCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "The experiment, for example examples/demo.yaml.")
  private Path file;

  @Mixin private RunOptions options;

  @Override
  public Integer call() throws Exception {
    return options.run(file);
  }
}
