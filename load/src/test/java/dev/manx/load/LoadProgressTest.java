/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.workload.result.Histograms;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

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
