/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.Collection;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;

/** Runs benchmarks in JVMs that compile as a node's does. */
public final class Forks {
  // The build gives it to the JVM of the tests, and JMH gives all of that JVM's arguments to forks.
  private static final String ONLY_C1 = "TieredStopAtLevel";

  private Forks() {}

  /**
   * Runs benchmarks and prints their results. Their JVMs get this one's arguments, which open the
   * packages that Cassandra needs, except the one that leaves out the second compiler.
   */
  public static Collection<RunResult> run(ChainedOptionsBuilder options) throws RunnerException {
    String[] arguments =
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(argument -> !argument.contains(ONLY_C1))
            .toArray(String[]::new);
    Collection<RunResult> results = new Runner(options.jvmArgs(arguments).build()).run();
    assertThat(results)
        .allSatisfy(
            result ->
                assertThat(result.getParams().getJvmArgs())
                    .as("arguments of a benchmark's JVM")
                    .isNotEmpty()
                    .noneMatch(argument -> argument.contains(ONLY_C1)));
    return results;
  }
}
