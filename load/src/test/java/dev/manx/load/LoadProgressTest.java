/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.workload.result.Histograms;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class LoadProgressTest {
  private static LoadSettings settings(double warmUp, double window) {
    long second = 1_000_000_000L;
    return new LoadSettings(
        Math.round(warmUp * second), Math.round(window * second), second, 1, second, List.of(), 10);
  }

  /** Metrics of a window need a sample at its end, before the last requests are awaited. */
  @Test
  void aReportIsDueAtTheEndOfTheWindow() {
    assertThat(ProgressThread.firstNanos(settings(2, 5))).isEqualTo(1_000_000_000L);
    assertThat(ProgressThread.firstNanos(settings(1.5, 5))).isEqualTo(500_000_000L);
    assertThat(ProgressThread.firstNanos(settings(0, 0.2))).isEqualTo(200_000_000L);
  }

  /** Counters "from the start of the window" were those of up to a second later. */
  @ParameterizedTest
  @CsvSource({
    "2, 2.5",
    "1.5, 20",
    "1.5, 2",
    "2, 4.9",
    "2, 0.5",
    "0, 2",
    "2, 1.000000001",
    "2, 599.9999999"
  })
  void aReportIsDueAtTheStartOfTheWindow(double warmUp, double window) {
    long measured = settings(warmUp, window).measuredNanos();
    for (long atMost : new long[] {1_000_000_000L, Math.min(1_000_000_000L, measured / 4)}) {
      long every = LoadSettings.progressEveryNanos(measured, atMost);
      assertThat(every).isBetween(1L, atMost);
      LoadSettings settings =
          new LoadSettings(
              settings(warmUp, window).warmUpNanos(), measured, 1, 1, every, List.of(), 10);
      long late =
          Math.floorMod(ProgressThread.firstNanos(settings) - settings.warmUpNanos(), every);
      assertThat(late).isLessThan(1000);
    }
  }

  /** A listener that queries nodes tries for a while before it says which node is gone. */
  @Test
  void aListenerThatIsLongInFailingSaysWhy() throws Exception {
    LoadSettings settings =
        new LoadSettings(0, 1_000_000L, 1_000_000L, 1, 1_000_000L, List.of(), 10);
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leaves = new CountDownLatch(1);
    Ledger ledger = new Ledger(settings, Pacer.SYSTEM, RequestEnds.IGNORED);
    try (ProgressThread progress =
        ProgressThread.start(
            ledger,
            settings,
            look -> {
              entered.countDown();
              try {
                leaves.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException("did not return", e);
              }
              throw new IllegalStateException("node2 does not answer");
            })) {
      entered.await();
      assertThatThrownBy(
              () ->
                  progress.finish(
                      (thread, nanos) -> {
                        if (nanos > NodeAdmin.LONGEST_NANOS) {
                          leaves.countDown();
                        }
                        return leaves.getCount() == 0 && thread.awaitTermination(60, SECONDS);
                      }))
          .hasMessage("node2 does not answer");
    }
  }

  @Test
  void theP99IsSaidOnceARequestHasEnded() {
    Histogram latency = Histograms.create();
    LoadProgress look = new LoadProgress(2_000_000_000L, 0, 0, 5, 2, 2, 0, 0, 3, 1, latency);
    assertThat(look.words()).isEqualTo(" 2 s  3 under way  P99 -");
    assertThat(look.p99Millis()).isNaN();
    Histograms.record(latency, 40_000_000);
    assertThat(look.words()).isEqualTo(" 2 s  3 under way  P99 40 ms");
  }
}
