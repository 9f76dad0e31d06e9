/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Prints the cost of each hook where no read waits, and of the work done twice for a planned
 * request, in nanoseconds and bytes; then the cost of each hook if 8 and 32 threads call it; not
 * part of the suite, since its name is not a test's:
 *
 * <pre>./mvnw -q -pl cassandra -am test -Dtest=HookCosts -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 */
@Timeout(1200)
class HookCosts {
  @Test
  void run() throws Exception {
    assertThat(
            Forks.run(
                new OptionsBuilder()
                    .include(HookBenchmark.class.getSimpleName())
                    .include(PlannedBenchmark.class.getSimpleName())
                    .addProfiler(GCProfiler.class)))
        .hasSize(23);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 32})
  void manyThreads(int threads) throws Exception {
    assertThat(
            Forks.run(
                new OptionsBuilder()
                    .include(HookBenchmark.class.getSimpleName())
                    .threads(threads)
                    .forks(1)))
        .hasSize(17);
  }
}
