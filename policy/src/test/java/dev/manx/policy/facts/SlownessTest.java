/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SlownessTest {
  private long now;

  /** A read that starts when the one before has ended. */
  private void alone(Slowness slowness, long serviceNanos, long costNanos) {
    now += serviceNanos;
    slowness.measured(now, serviceNanos, costNanos);
  }

  @Test
  void isZeroBeforeEnoughReads() {
    Slowness slowness = new Slowness();
    for (int i = 1; i < Slowness.ENOUGH; i++) {
      alone(slowness, 20, 10);
    }
    assertThat(slowness.thousandths()).isZero();
    alone(slowness, 20, 10);
    assertThat(slowness.thousandths()).isEqualTo(2_000);
  }

  @Test
  void sizesCancel() {
    Slowness slowness = new Slowness();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 1_000; i++) {
      long cost = 100L << random.nextInt(10);
      alone(slowness, 3 * cost, cost);
    }
    assertThat(slowness.thousandths()).isEqualTo(3_000);
  }

  @Test
  void readsWithoutForecastDoNotCount() {
    Slowness slowness = new Slowness();
    for (int i = 0; i < 100; i++) {
      slowness.measured(now, 1_000_000, 0);
      alone(slowness, 10, 10);
    }
    assertThat(slowness.thousandths()).isEqualTo(1_000);
  }

  @Test
  void followsAChangeOfGoodForecastsWithinSomeHundredReads() {
    Slowness slowness = new Slowness();
    for (int i = 0; i < 100_000; i++) {
      alone(slowness, 10, 10);
    }
    for (int i = 0; i < Slowness.READS; i++) {
      alone(slowness, 40, 10);
    }
    // The short memory has 1 + 3 * (1 - 1/e), 2.9; the long one lags behind by a difference that
    // may be chance.
    assertThat((double) slowness.thousandths()).isBetween(2_400.0, 2_900.0);
    for (int i = 0; i < 4 * Slowness.READS; i++) {
      alone(slowness, 40, 10);
    }
    assertThat((double) slowness.thousandths()).isBetween(3_600.0, 4_000.0);
  }

  private void many(Slowness slowness, int reads, long serviceNanos, long costNanos) {
    for (int i = 0; i < reads; i++) {
      alone(slowness, serviceNanos, costNanos);
    }
  }

  /** Reads of several threads: they began within one read's time, and end as closely together. */
  private void stall(Slowness slowness, int threads, long serviceNanos) {
    long begun = now;
    for (int i = 0; i < threads; i++) {
      long start = begun + i * 10L / threads;
      long end = begun + serviceNanos + i * 10L / threads;
      slowness.measured(end, end - start, 10);
      now = end;
    }
  }

  /** On 32 read threads: of reads that are all far too long, fifteen are a change. */
  @Test
  void aStallIsNoChangeHoweverManyReadsItDelays() {
    Slowness slowness = new Slowness();
    many(slowness, 100_000, 10, 10);
    stall(slowness, 32, 5_000);
    assertThat(slowness.thousandths()).isLessThan(2_500);
    many(slowness, 2_000, 10, 10);
    assertThat(slowness.thousandths()).isLessThan(1_200);
  }

  @Test
  void stallsNowAndThenCountAsLongReads() {
    Slowness slowness = new Slowness();
    for (int i = 0; i < 100; i++) {
      many(slowness, 1_000, 10, 10);
      stall(slowness, 32, 5_000);
    }
    // Four reads in a thousand take 500 times as long.
    assertThat((double) slowness.thousandths()).isBetween(2_900.0, 3_100.0);
  }

  /** Misses that take a hundred times as long as hits, a tenth of all reads, on 32 threads. */
  @Test
  void longReadsThatAreFrequentAllCountAlthoughTheyOverlap() {
    assertThat(missing(0.1)).isBetween(9_800.0, 12_000.0);
  }

  /** Those of a hundredth of the reads: 1.99 in the mean. */
  @Test
  void longReadsThatOverlapByChanceCount() {
    assertThat(missing(0.01)).isBetween(1_700.0, 2_300.0);
  }

  private static double missing(double share) {
    long seed = 3;
    SplittableRandom random = new SplittableRandom(seed);
    Slowness slowness = new Slowness();
    long[] ends = new long[32];
    long[] services = new long[ends.length];
    for (int i = 0; i < 400_000; i++) {
      int first = 0;
      for (int thread = 1; thread < ends.length; thread++) {
        first = ends[thread] < ends[first] ? thread : first;
      }
      if (services[first] > 0) {
        slowness.measured(ends[first], services[first], 1_000);
      }
      // At first no read misses.
      boolean misses = i > 100_000 && random.nextDouble() < share;
      services[first] = (misses ? 100 : 1) * random.nextLong(800, 1_200);
      ends[first] += services[first];
    }
    return slowness.thousandths();
  }

  @Test
  void aNodeThatBecomesMuchSlowerIsDetectedWhileItsReadsOverlap() {
    Slowness slowness = new Slowness();
    many(slowness, 100_000, 10, 10);
    for (int round = 0; round < 64; round++) {
      stall(slowness, 32, 200);
    }
    assertThat(slowness.thousandths()).isGreaterThan(8_000);
  }

  @Test
  void detectsThatANodeTakesTwiceItsTimeDespiteBadForecasts() {
    long seed = 5;
    SplittableRandom random = new SplittableRandom(seed);
    Slowness slowness = new Slowness();
    misjudged(slowness, random, 100_000, 1);
    double before = slowness.thousandths();
    misjudged(slowness, random, 2 * Slowness.READS, 2);
    assertThat(slowness.thousandths() / before).as("seed %d", seed).isGreaterThan(1.5);
    misjudged(slowness, random, 6 * Slowness.READS, 2);
    assertThat(slowness.thousandths() / before).as("seed %d", seed).isCloseTo(2, within(0.15));
  }

  /** Reads of 100 and 1: forecasts 100 and 4 weigh 10 and 2, so (10 + 0.5) / (10 + 2). */
  @Test
  void aReadCountsByTheRootOfItsForecast() {
    Slowness slowness = new Slowness();
    for (int i = 0; i < 2 * Slowness.ENOUGH; i++) {
      alone(slowness, i % 2 == 0 ? 100 : 1, i % 2 == 0 ? 100 : 4);
    }
    assertThat(slowness.thousandths()).isEqualTo(875);
  }

  /**
   * A node that gets the reads whose forecasts are far too long, and another that gets the rest,
   * look nearly equally fast; by sums of forecasts the first would count as half.
   */
  @Test
  void choosingByForecastsHardlyMakesANodeFast() {
    long seed = 11;
    SplittableRandom random = new SplittableRandom(seed);
    Slowness chosen = new Slowness();
    Slowness avoided = new Slowness();
    for (int i = 0; i < 100_000; i++) {
      double factor = Math.exp(random.nextGaussian() - 0.5);
      boolean first = factor > 3 || random.nextBoolean();
      alone(first ? chosen : avoided, 1_000_000, Math.round(1e6 * factor));
    }
    assertThat((double) chosen.thousandths() / avoided.thousandths())
        .as("seed %d", seed)
        .isBetween(0.7, 1.0);
  }

  @Test
  void onlyQuotientsOfNodesCount() {
    long seed = 13;
    SplittableRandom random = new SplittableRandom(seed);
    Slowness one = new Slowness();
    Slowness twice = new Slowness();
    misjudged(one, random, 50_000, 1);
    misjudged(twice, random, 50_000, 2);
    assertThat((double) twice.thousandths() / one.thousandths())
        .as("seed %d", seed)
        .isCloseTo(2, within(0.1));
  }

  @Test
  void exponentialServiceTimesScatterItByLessThanOnePercent() {
    long seed = 7;
    SplittableRandom random = new SplittableRandom(seed);
    Slowness slowness = new Slowness();
    assertThat(scatter(slowness, () -> exponential(slowness, random, 500)))
        .as("seed %d", seed)
        .isBetween(0.003, 0.012);
  }

  @Test
  void badForecastsScatterItByLessThanOnePercent() {
    long seed = 7;
    SplittableRandom random = new SplittableRandom(seed);
    Slowness slowness = new Slowness();
    assertThat(scatter(slowness, () -> misjudged(slowness, random, 500, 1)))
        .as("seed %d", seed)
        .isBetween(0.002, 0.01);
  }

  /** Standard deviation of the quotient over its mean, once the long memory is full. */
  private static double scatter(Slowness slowness, Runnable reads) {
    double sum = 0;
    double squares = 0;
    int looks = 800;
    for (int look = -40; look < looks; look++) {
      reads.run();
      double now = look < 0 ? 0 : slowness.thousandths();
      sum += now;
      squares += now * now;
    }
    double mean = sum / looks;
    return Math.sqrt(squares / looks - mean * mean) / mean;
  }

  private void exponential(Slowness slowness, SplittableRandom random, int reads) {
    for (int i = 0; i < reads; i++) {
      alone(slowness, Math.round(-1e6 * Math.log(1 - random.nextDouble())) + 1, 1_000_000);
    }
  }

  /** Reads of one length whose forecasts are off by a lognormal factor of mean 1 and sigma 1. */
  private void misjudged(Slowness slowness, SplittableRandom random, int reads, double slow) {
    for (int i = 0; i < reads; i++) {
      double factor = Math.exp(random.nextGaussian() - 0.5);
      alone(slowness, Math.round(1e6 * slow), Math.round(1e6 * factor));
    }
  }
}
