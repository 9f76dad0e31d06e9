/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.idle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.manx.contention.proc.Proc;
import dev.manx.contention.squeeze.Squeeze;
import dev.manx.contention.squeeze.SqueezeKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Short turns of real workers: the counts balance at any latency. */
@Tag("engines")
class IdleTurnTest {
  private static final WaitingLoad LOAD =
      new WaitingLoad(4, 1_000, 20_000, 5_000, 100_000_000, 600_000_000, 20_000_000_000L);

  @TempDir Path folder;

  private IdleResult run(SqueezeKind which) throws Exception {
    List<Long> edges = new ArrayList<>();
    IdleResult result =
        new IdleTurn(LOAD, new Squeeze(1, 2, "", -20), folder)
            .run("{ policy: idle.adaptive }", which, 7, edges::add);
    assertThat(edges).hasSize(2);
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).as("files left behind").isEmpty();
    }
    return result;
  }

  @Test
  void everyOperationIsCountedOnce() throws Exception {
    IdleResult result = run(SqueezeKind.UNRESTRICTED);
    assertThat(result.offered()).isBetween(400L, 800L);
    assertThat(result.notDone()).isZero();
    assertThat(result.latencyNanos().getTotalCount()).isEqualTo(result.offered());
    assertThat(
            result.latencyNanos(true).getTotalCount() + result.latencyNanos(false).getTotalCount())
        .isEqualTo(result.offered());
    assertThat(
            result.latencyOverTime(100_000_000).stream().mapToLong(Histogram::getTotalCount).sum())
        .isEqualTo(result.offered());
    assertThat(result.latencyOverTime(100_000_000)).hasSize(6);
    assertThat(result.latencyNanos().getMinNonZeroValue()).isGreaterThan(1_000);
    assertThat(result.boostedSeconds()).isEmpty();
    assertThat(result.safepoints().count()).isNotNegative();
  }

  @Test
  void theSameSeedGivesTheSameOperations() throws Exception {
    assertThat(run(SqueezeKind.UNRESTRICTED).offered())
        .isEqualTo(run(SqueezeKind.PINNED).offered());
  }

  @Test
  void theBoostIsInTheMiddleThird() throws Exception {
    assumeTrue(Proc.maySetPriorities(), "needs root or CAP_SYS_NICE");
    double[] boosted = run(SqueezeKind.PINNED_NICE).boostedSeconds();
    assertThat(boosted).hasSize(2);
    assertThat(boosted[0]).isGreaterThanOrEqualTo(0.2);
    assertThat(boosted[1]).isGreaterThan(boosted[0]);
  }

  @Test
  void readsTheJvmsLogOfSafepoints() throws Exception {
    Path log = folder.resolve("log");
    Files.writeString(
        log,
        """
        [500ns] Safepoint "Early", Time since last: 1 ns, Reaching safepoint: 1 ns, At safepoint: 1 ns, Total: 9 ns
        [1000ns] Using Serial
        [1500ns] Safepoint "Cleanup", Time since last: 1 ns, Reaching safepoint: 1 ns, At safepoint: 1 ns, Total: 40 ns
        [1999ns] Safepoint "Halt", Time since last: 1 ns, Reaching safepoint: 1 ns, At safepoint: 1 ns, Total: 2 ns
        """);
    assertThat(Safepoints.read(log, 1_000, 2_000)).isEqualTo(new Safepoints(2, 42, 40));
    Files.delete(log);
  }
}
