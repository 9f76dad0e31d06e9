/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.canary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("slow")
class RatioTest {
  private static final int ROUNDS = 400;

  /** Buckets an eighth wide, as on nodes. */
  private static long bucket(double micros) {
    long value = (long) micros;
    if (value < 8) {
      return value;
    }
    int shift = 60 - Long.numberOfLeadingZeros(value);
    return ((value >> shift) + 1 << shift) - 1;
  }

  private static LatencyCounts of(SplittableRandom random, int n, double meanMicros) {
    Map<Long, Long> counts = new TreeMap<>();
    for (int i = 0; i < n; i++) {
      long upTo = bucket(-meanMicros * Math.log(1 - random.nextDouble()));
      counts.putIfAbsent(before(upTo), 0L);
      counts.merge(upTo, 1L, Long::sum);
    }
    LatencyCounts latencies = new LatencyCounts();
    latencies.add(counts);
    return latencies;
  }

  /** The bucket before. */
  private static long before(long upTo) {
    return upTo < 8 ? Math.max(0, upTo - 1) : upTo - (1L << 60 - Long.numberOfLeadingZeros(upTo));
  }

  @Test
  void theIntervalHoldsTheTrueRatioAtLeastNineteenTimesOfTwenty() {
    SplittableRandom random = new SplittableRandom(3);
    for (double quantile : new double[] {0.5, 0.99}) {
      int held = 0;
      for (int round = 0; round < ROUNDS; round++) {
        double truth = 0.3 + 1.4 * random.nextDouble();
        Ratio ratio =
            Ratio.of(of(random, 900, 10_000 * truth), of(random, 3_000, 10_000), quantile);
        held += ratio.low() <= truth && truth <= ratio.high() ? 1 : 0;
      }
      assertThat(held).isGreaterThanOrEqualTo((int) (0.95 * ROUNDS));
    }
  }

  @Test
  void aLargeDifferenceOfManyRequestsIsFoundAndNoneIsNotInvented() {
    SplittableRandom random = new SplittableRandom(5);
    Ratio faster = Ratio.of(of(random, 5_000, 4_000), of(random, 20_000, 10_000), 0.99);
    assertThat(faster.isDifference()).isTrue();
    assertThat(faster.low()).isBetween(0.25, 0.4);
    assertThat(faster.high()).isBetween(0.4, 0.6);
    int found = 0;
    for (int round = 0; round < ROUNDS; round++) {
      found +=
          Ratio.of(of(random, 1_000, 10_000), of(random, 1_000, 10_000), 0.99).isDifference()
              ? 1
              : 0;
    }
    assertThat(found).isLessThanOrEqualTo(ROUNDS / 20);
  }

  @Test
  void aDifferenceSmallerThanABucketIsNotClaimed() {
    LatencyCounts shorter = new LatencyCounts();
    shorter.add(Map.of(1023L, 100_000L, 959L, 0L));
    LatencyCounts longer = new LatencyCounts();
    longer.add(Map.of(1151L, 100_000L, 1023L, 0L));
    assertThat(Ratio.of(shorter, longer, 0.99).isDifference()).isFalse();
  }

  @Test
  void withTooFewRequestsNothingIsKnown() {
    SplittableRandom random = new SplittableRandom(7);
    LatencyCounts many = of(random, 10_000, 10_000);
    assertThat(Ratio.of(of(random, 60, 4_000), many, 0.99).isKnown()).isFalse();
    assertThat(Ratio.of(many, of(random, 60, 4_000), 0.99).isKnown()).isFalse();
    assertThat(Ratio.of(new LatencyCounts(), new LatencyCounts(), 0.99).isKnown()).isFalse();
    assertThat(Ratio.of(of(random, 400, 4_000), of(random, 400, 10_000), 0.99).isKnown()).isTrue();
  }

  @Test
  void theBinomialDistributionIsThatOfTheTables() {
    // Of ten tosses: none 1/1024, one 10/1024, two 45/1024.
    assertThat(Binomial.mid(10, 0.5, 2)).isCloseTo((11 + 22.5) / 1024, within(1e-12));
    assertThat(Binomial.mid(10, 0.5, 10)).isCloseTo(1 - 0.5 / 1024, within(1e-12));
    assertThat(Binomial.normal(1.959964)).isCloseTo(0.975, within(1e-6));
    assertThat(Binomial.normal(-1.959964)).isCloseTo(0.025, within(1e-6));
    // The two methods agree at the variance where one replaces the other.
    long n = 39_000;
    assertThat(Binomial.mid(n, 0.5, 19_400))
        .isCloseTo(Binomial.normal((19_400 - n / 2.0) / Math.sqrt(n / 4.0)), within(1e-3));
    assertThat(Binomial.mid(1_000_000_000L, 0.01, 10_000_000L)).isCloseTo(0.5, within(1e-3));
  }

  /** An end that looks like 1 contradicts the verdict. */
  @ParameterizedTest
  @CsvSource({
    "0.934, 0.997, 0.93 to 0.997: faster with Manx",
    "0.5, 0.99996, 0.50 to 0.99996: faster with Manx",
    "1.0004, 1.3, 1.0004 to 1.30: slower with Manx",
    "0.36, 1.641, '0.36 to 1.64, so no difference is shown'",
    "1, 1, '1.00 to 1.00, so no difference is shown'"
  })
  void theDigitsShowTheSideOfOne(double low, double high, String words) {
    assertThat(new Ratio(low, high).words()).isEqualTo(words);
  }
}
