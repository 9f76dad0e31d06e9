/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.advise.MeasuredLatencies.Interval;
import dev.manx.simulator.recorded.Recording;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Recordings of a minute at a high load, whose latencies differ much by chance. */
@Timeout(120)
class ShortRecordingTest {
  private static final double LOAD = 0.8;
  private static final int RECORDINGS = 20;

  private static Recording recording(int seed) {
    return QueuedWorld.recording(LOAD, 6_000, 100 + seed);
  }

  /** It was compared with the mean of all recordings, and differed by the noise of this one. */
  @Test
  void anExactModelFitsEachOfThem() {
    List<String> refused = new ArrayList<>();
    for (int seed = 0; seed < RECORDINGS; seed++) {
      Advisor advisor = new Advisor(List.of(), QueuedWorld.model(recording(seed)));
      if (!advisor.holds()) {
        refused.add("seed " + seed + ": " + advisor.words());
      }
    }
    assertThat(refused).hasSizeLessThanOrEqualTo(1);
  }

  /** The interval took requests that had met one queue for independent, and held it in a third. */
  @Test
  void theIntervalHoldsTheLongRunsPercentile() {
    double p99 = QueuedWorld.p99(LOAD);
    List<String> missed = new ArrayList<>();
    int missedAsIndependent = 0;
    for (int seed = 0; seed < 2 * RECORDINGS; seed++) {
      MeasuredLatencies measured = MeasuredLatencies.of(recording(seed));
      Interval interval = measured.interval(0.99);
      missedAsIndependent += measured.independent(0.99).contains(p99) ? 0 : 1;
      if (!interval.contains(p99)) {
        missed.add("seed " + seed + ": " + interval);
      }
    }
    assertThat(missed).as("without %.1f ms", p99 / 1e6).hasSizeLessThanOrEqualTo(6);
    assertThat(missedAsIndependent).isGreaterThan(15);
  }
}
