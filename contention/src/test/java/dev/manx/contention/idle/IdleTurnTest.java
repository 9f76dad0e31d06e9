/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.idle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.manx.contention.proc.Proc;
import dev.manx.contention.squeeze.Squeeze;
import dev.manx.contention.squeeze.SqueezeException;
import dev.manx.contention.squeeze.SqueezeKind;
import dev.manx.contention.squeeze.SqueezeReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Short turns of real workers: the counts balance at any latency. */
@Tag("engines")
class IdleTurnTest {
  private static final WaitingLoad LOAD =
      new WaitingLoad(4, 1_000, 20_000, 5_000, 1_000_000_000, 600_000_000, 20_000_000_000L);

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

  /** Some of its threads have no operation; the guard boosts and counts them all the same. */
  @Test
  void fewOperationsAreEnough() throws Exception {
    assumeTrue(Proc.maySetPriorities(), "needs root or CAP_SYS_NICE");
    WaitingLoad few = new WaitingLoad(4, 1, 20_000, 5_000, 1_000_000_000, 600_000_000, 1_000);
    IdleResult result =
        new IdleTurn(few, new Squeeze(1, 2, "", -20), folder)
            .run("{ policy: idle.adaptive }", SqueezeKind.PINNED_NICE, 7, pid -> {});
    assertThat(result.boostedSeconds()).hasSize(2);
  }

  private static final long WINDOW = 1_000;

  /** Pinned before the window; two threads boosted and not boosted any more. */
  private static SqueezeReport report(long pinned, int boosted, long unboosted) {
    long restored = 5_000;
    return new SqueezeReport(
        pinned, 9, "0", 2_000, boosted, "boosted-0", unboosted, restored, 9, 0, false);
  }

  private static void check(SqueezeKind which, SqueezeReport report, String... lines) {
    IdleTurn.check(report, List.of(lines), which, 2, WINDOW);
  }

  @Test
  void aTurnThatWasSqueezedAsIntendedCounts() {
    check(SqueezeKind.PINNED, report(WINDOW, 0, 0), "pinned 1000 9 0", "restored 5000 9 0 false");
    check(SqueezeKind.PINNED_NICE, report(900, 2, 3_000));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PINNED | 0 | 0 | 0 | no thread was pinned",
        "PINNED | 1001 | 0 | 0 | pinned only after the start of the window: use a longer warm-up",
        "PINNED_NICE | 1001 | 2 | 3000 | only after the start of the window",
        "PINNED_NICE | 900 | 1 | 3000 | 1 of 2 threads got their nice level",
        "PINNED_NICE | 900 | 2 | 0 | never lost their nice level",
      })
  void anotherTurnIsRefused(
      SqueezeKind which, long pinned, int boosted, long unboosted, String words) {
    assertThatThrownBy(() -> check(which, report(pinned, boosted, unboosted)))
        .isInstanceOf(SqueezeException.class)
        .hasMessageContaining(words);
  }

  @Test
  void aTurnOfWhichAPartWasSqueezedIsRefused() {
    assertThatThrownBy(
            () ->
                check(
                    SqueezeKind.PINNED_NICE,
                    report(900, 2, 3_000),
                    "pinned 900 9 0",
                    "partly not boosted: waiter-1 (17)"))
        .isInstanceOf(SqueezeException.class)
        .hasMessage(
            "case pinned-nice was not squeezed as intended: partly not boosted: waiter-1 (17)");
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
