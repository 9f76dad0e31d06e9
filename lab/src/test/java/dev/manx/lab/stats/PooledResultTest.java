/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.workload.result.Histograms;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class PooledResultTest {
  /**
   * Two calm rounds of 1..10 and one of 100..1000: 30 values together, so P90 is the 27th, 700. A
   * resample of calm rounds alone has P90 9, one of three bad rounds 900.
   */
  @Test
  void valueAndIntervalAreOfTheSameRequests() {
    Estimate result =
        PooledResult.of(List.of(tens(1), tens(1), tens(100)), 90, Bootstrap.standard());
    assertThat(result).isEqualTo(new Estimate(700, 9, 900, 3));
  }

  @Test
  void emptyRoundsAreLeftOut() {
    Estimate some = PooledResult.of(List.of(tens(1), new Histogram(3)), 50, Bootstrap.standard());
    assertThat(some).isEqualTo(new Estimate(5, 5, 5, 1));
    assertThat(PooledResult.of(List.of(), 50, Bootstrap.standard()).exists()).isFalse();
  }

  /** A resample that draws every round once is the pool itself. */
  @RepeatedTest(50)
  void theIntervalHoldsItsValue(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    SplittableRandom random = new SplittableRandom(seed);
    List<Histogram> rounds = new ArrayList<>();
    for (int i = random.nextInt(2, 12); i > 0; i--) {
      double scale = Math.exp(3 * random.nextDouble());
      Histogram round = new Histogram(3);
      for (int n = random.nextInt(1, 400); n > 0; n--) {
        round.recordValue((long) (1_000 * scale * -Math.log(1 - random.nextDouble())));
      }
      rounds.add(round);
    }
    for (double percentile : new double[] {0, 1, 50, 90, 99, 99.9, 100}) {
      Estimate result = PooledResult.of(rounds, percentile, new Bootstrap(seed, 400));
      assertThat(result.contains(result.value()))
          .as("seed %s, percentile %s: %s", seed, percentile, result)
          .isTrue();
      assertThat(result.value())
          .isEqualTo(PooledResult.merge(rounds).getValueAtPercentile(percentile));
    }
  }

  /** With equal rounds every draw gives the same result. */
  @Test
  void resamplesAreReadAsHistogramsAre() {
    for (double percentile : new double[] {0, 10, 50, 55, 90, 91, 99, 100}) {
      Estimate result =
          PooledResult.of(List.of(tens(1), tens(1), tens(1)), percentile, Bootstrap.standard());
      assertThat(List.of(result.lo(), result.hi()))
          .as("percentile %s", percentile)
          .containsOnly(result.value());
    }
  }

  /**
   * P99 of the rounds' histograms is in steps of 512 ns here, and so are the ends of its interval.
   */
  @Test
  void theIntervalIsInTheStepsOfTheRounds() {
    Histogram round = Histograms.create();
    for (int us = 1; us <= 100; us++) {
      round.recordValue(us * 1_000L);
    }
    double p99Us = Histograms.percentileUs(round, 99);
    assertThat(PooledResult.p99Us(List.of(round, round), Bootstrap.standard()))
        .isEqualTo(new Estimate(p99Us, p99Us, p99Us, 2));
    assertThat(PooledResult.p99Us(List.of(round), Bootstrap.standard()))
        .isEqualTo(new Estimate(p99Us, p99Us, p99Us, 1));
  }

  /** A histogram that grows ends with the last bucket that it needed. */
  @Test
  void aRoundHasNothingBeyondItsLargestValue() {
    Histogram low = new Histogram(3);
    low.recordValueWithCount(2_047, 100);
    Histogram high = new Histogram(3);
    high.recordValueWithCount(1_000_000, 100);
    assertThat(PooledResult.of(List.of(low, low, high), 99, Bootstrap.standard()).lo())
        .as("in some resamples there are low rounds only")
        .isEqualTo(2_047);
  }

  @Test
  void mergingLeavesTheRoundsAlone() {
    Histogram round = tens(1);
    assertThat(PooledResult.merge(List.of(round, tens(100))).getTotalCount()).isEqualTo(20);
    assertThat(round.getTotalCount()).isEqualTo(10);
  }

  private static Histogram tens(long step) {
    Histogram histogram = new Histogram(3);
    for (int i = 1; i <= 10; i++) {
      histogram.recordValue(i * step);
    }
    return histogram;
  }
}
