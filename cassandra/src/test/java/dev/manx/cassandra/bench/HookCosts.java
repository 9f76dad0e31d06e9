/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Prints the cost of each hook where no read waits, and of the work done twice for a planned
 * request, in nanoseconds and bytes; not part of the suite, since its name is not a test's:
 *
 * <pre>./mvnw -q -pl cassandra -am test -Dtest=HookCosts -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 */
@Timeout(600)
class HookCosts {
  @Test
  void run() throws Exception {
    OptionsBuilder options = new OptionsBuilder();
    // The forks get this JVM's own arguments, which open the packages that Cassandra needs.
    options
        .include(HookBenchmark.class.getSimpleName())
        .include(PlannedBenchmark.class.getSimpleName())
        .addProfiler(GCProfiler.class);
    assertThat(new Runner(options.build()).run()).hasSize(23);
  }
}
