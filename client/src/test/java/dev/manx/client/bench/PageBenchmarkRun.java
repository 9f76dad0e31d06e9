/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Runs {@link PageBenchmark} with 1, 2 and 8 threads and prints its tables; not part of the suite,
 * because of its name. docs/embed/performance.md has the command and the results.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class PageBenchmarkRun {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void nearlyEmpty(int threads) throws Exception {
    assertThat(run(threads, "", "0")).hasSize(8);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void inUse(int threads) throws Exception {
    assertThat(run(threads, "(hits|page)(Bare|Request)", "60")).hasSize(4);
  }

  private static Collection<RunResult> run(int threads, String which, String usedPercent)
      throws Exception {
    return Forks.run(
        new OptionsBuilder()
            .include(PageBenchmark.class.getSimpleName() + "\\." + which)
            .param("usedPercent", usedPercent)
            .threads(threads)
            // The aims can be judged with one thread, so it gets the narrower intervals.
            .forks(threads == 1 ? 3 : 1)
            .measurementIterations(threads == 1 ? 4 : 3)
            .addProfiler(GCProfiler.class));
  }
}
