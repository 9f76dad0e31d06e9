/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Runs the benchmarks of this package with 1, 8 and 32 threads and prints their tables; not part of
 * the suite, since its name is not a test's:
 *
 * <pre>./mvnw -q -pl policy -am test -Dtest=BenchmarkRun -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 */
@Timeout(1800)
class BenchmarkRun {
  @ParameterizedTest
  @ValueSource(ints = {1, 8, 32})
  void run(int threads) throws Exception {
    OptionsBuilder options = new OptionsBuilder();
    // Not the arguments of the JVM of the tests, which leave out the second compiler.
    options.include(getClass().getPackageName() + "\\.").threads(threads).jvmArgs("-Xmx1g");
    assertThat(new Runner(options.build()).run())
        .hasSize(7)
        .allSatisfy(
            result ->
                assertThat(result.getParams().getJvmArgs())
                    .noneMatch(argument -> argument.contains("TieredStopAtLevel")));
  }
}
