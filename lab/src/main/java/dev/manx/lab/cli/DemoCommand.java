/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code manx demo}: a first trial of Manx. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Shows the gain and the cost of Manx on three real Cassandra nodes.",
      "It runs examples/demo.yaml, where reads wait, and examples/demo-cost.yaml, where none waits, in about 4 minutes on 2 cores, with a first line of results within 90 seconds.",
      "With options that choose arms, loads, seeds, requests or settings, only the first part runs.",
      "It stops the nodes at the end, and on Ctrl-C. With the --out DIR of an interrupted demo, it continues that demo."
    },
    exitCodeListHeading = RunOptions.EXIT_CODES,
    exitCodeList = {
      RunOptions.EXIT_0,
      RunOptions.EXIT_1,
      RunOptions.EXIT_2,
      RunOptions.EXIT_3,
      RunOptions.EXIT_130
    })
final class DemoCommand implements Callable<Integer> {
  private static final String FIRST = "demo.yaml";
  private static final String COST = "cost";

  @Mixin private RunOptions options;

  @Override
  public Integer call() throws Exception {
    Path examples = ManxHome.find().root().resolve("examples");
    Terminal terminal = new Terminal();
    options.asCommand();
    int exitCode =
        firstPartIsFinished(options, examples)
            ? options.reportAgain(terminal)
            : options.runTo(examples.resolve(FIRST), terminal).exitCode();
    if (!options.choose()) {
      terminal.line("");
      terminal.line(
          "The cost of Manx: without the model of slow storage, where reads do not wait.");
      int second =
          options.part(COST).runTo(examples.resolve("demo-cost.yaml"), terminal).exitCode();
      exitCode = RunOptions.worse(exitCode, second);
    }
    return exitCode;
  }

  /** Whether the demo was interrupted in the second part or before it. */
  static boolean firstPartIsFinished(RunOptions options, Path examples) throws IOException {
    return !options.choose()
        && options.part(COST).isOpen()
        && options.isFinished(examples.resolve(FIRST));
  }
}
