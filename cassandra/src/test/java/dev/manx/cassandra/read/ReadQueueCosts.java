/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.bench.Forks;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Prints the cost of waiting in the queue, with 1, 8 and 32 threads; not part of the suite, since
 * its name is not a test's:
 *
 * <pre>
 * ./mvnw -q -pl cassandra -am test -Dtest=ReadQueueCosts -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 */
@Timeout(600)
class ReadQueueCosts {
  @ParameterizedTest
  @ValueSource(ints = {1, 8, 32})
  void run(int threads) throws Exception {
    assertThat(
            Forks.run(
                new OptionsBuilder()
                    .include(ReadQueueBenchmark.class.getSimpleName())
                    .threads(threads)))
        .hasSize(3);
  }
}
