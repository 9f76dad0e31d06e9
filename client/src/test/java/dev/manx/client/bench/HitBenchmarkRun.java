/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Runs {@link HitBenchmark} and prints its table; not part of the suite, because of its name:
 *
 * <pre>./mvnw -q -pl client -am test -Dtest=HitBenchmarkRun -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class HitBenchmarkRun {
  @Test
  void run() throws Exception {
    Collection<RunResult> results =
        Forks.run(
            new OptionsBuilder()
                .include(HitBenchmark.class.getSimpleName() + "\\.")
                .addProfiler(GCProfiler.class));
    assertThat(results).hasSize(12);
  }
}
