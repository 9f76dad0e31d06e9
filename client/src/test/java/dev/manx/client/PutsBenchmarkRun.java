/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.bench.Forks;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Runs {@link PutsBenchmark} and prints its table; not part of the suite, because of its name:
 *
 * <pre>
 * ./mvnw -q -pl client -am test -Dtest=PutsBenchmarkRun -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 */
class PutsBenchmarkRun {
  @Test
  void run() throws Exception {
    assertThat(Forks.run(new OptionsBuilder().include(PutsBenchmark.class.getSimpleName() + "\\.")))
        .hasSize(3);
  }
}
