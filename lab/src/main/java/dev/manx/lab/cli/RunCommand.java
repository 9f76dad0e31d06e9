/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import dev.manx.lab.experiment.OwnCluster;
import dev.manx.operate.connect.ClusterOptions;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code manx run}: runs any experiment. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Runs an experiment file, prints a verdict and writes a report.",
      "Arms are played in interleaved rounds, on nodes, backends or a storage engine that the command starts and stops, or in a simulation (./manx kinds).",
      "examples/reference.yaml and docs/measure/experiments.md explain the settings.",
      "With --on CLUSTER it boots no nodes: it sends the statements of a file `on: own-cluster` to your own cluster, at no more than the rate that the file states, switches Manx on all its nodes before each turn, and restores each node's mode and strategy at the end. While an arm is on, Manx acts on all requests of all clients. It only reads unless --allow-writes is given; keys are sampled from the statements' own tables."
    },
    exitCodeListHeading = RunOptions.EXIT_CODES,
    exitCodeList = {
      RunOptions.EXIT_0,
      RunOptions.EXIT_1,
      RunOptions.EXIT_2,
      RunOptions.EXIT_3,
      RunOptions.EXIT_130
    },
    footer = {
      "",
      "Examples:",
      "  ./manx run examples/cassandra-policies.yaml --arms stock,low-fifo,manx",
      "  ./manx run examples/demo.yaml --loads 50%%,70%% --seeds 1,2,3",
      "  ./manx run examples/demo.yaml --quick --set cluster.concurrent-reads=4",
      "  ./manx run examples/own-cluster.yaml --on test-cluster --loads 200/s"
    })
final class RunCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "The experiment, for example examples/demo.yaml.")
  private Path file;

  @Mixin private RunOptions options;
  @Mixin private ClusterOptions cluster;

  @Option(
      names = "--allow-writes",
      description = "With --on: statements may be INSERT, UPDATE or DELETE.")
  private boolean allowWrites;

  @Option(
      names = "--switch-all",
      description =
          "With --on: arms may switch Manx on even if some nodes are off or in shadow mode.")
  private boolean switchAll;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    if (cluster.name() != null) {
      return options.run(
          file, new OwnCluster(cluster.name(), cluster.settings(), allowWrites, switchAll));
    }
    cluster.refuseWithoutCluster(spec.commandLine());
    ClusterOptions.refuse(spec.commandLine(), "--allow-writes", allowWrites);
    ClusterOptions.refuse(spec.commandLine(), "--switch-all", switchAll);
    return options.run(file);
  }
}
