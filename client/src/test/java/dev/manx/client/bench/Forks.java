/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;

/** Runs benchmarks in JVMs that compile as an application's does. */
public final class Forks {
  private Forks() {}

  /**
   * Runs benchmarks and prints their results. Without arguments of their own, JMH would give their
   * JVMs those of the JVM of the tests, which leaves out the second compiler.
   */
  public static Collection<RunResult> run(ChainedOptionsBuilder options) throws RunnerException {
    Collection<RunResult> results =
        new Runner(options.jvmArgs("-Xmx1g", "-XX:+UseSerialGC").build()).run();
    assertThat(results)
        .allSatisfy(
            result ->
                assertThat(result.getParams().getJvmArgs())
                    .as("arguments of a benchmark's JVM")
                    .isNotEmpty()
                    .noneMatch(argument -> argument.contains("TieredStopAtLevel")));
    return results;
  }
}
