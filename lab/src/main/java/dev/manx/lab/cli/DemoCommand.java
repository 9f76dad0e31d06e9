/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import dev.manx.lab.cluster.ManxHome;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code manx demo}: the first thing to try. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Shows on three real Cassandra nodes what Manx does to the tail of fan-out requests:",
      "the same as `./manx run examples/demo.yaml`, under 4 minutes on 2 cores,",
      "with a first line of results within 90 seconds.",
      "It stops the nodes at the end, and on Ctrl-C."
    })
final class DemoCommand implements Callable<Integer> {
  @Mixin private RunOptions options;

  @Override
  public Integer call() throws Exception {
    return options.run(ManxHome.find().root().resolve("examples/demo.yaml"));
  }
}
