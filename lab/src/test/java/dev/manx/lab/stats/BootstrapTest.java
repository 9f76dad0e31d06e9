/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Test;

class BootstrapTest {
  private static final long SEED = 20_240_601;

  /**
   * Resampled medians of 5 distinct values fall on the smallest with P(Bin(5, 1/5) >= 3) = 0.0579,
   * more than 2.5 %, so the interval spans all.
   */
  @Test
  void fiveRoundsSpanAll() {
    assertThat(Bootstrap.standard().median(new double[] {50, 10, 30, 20, 40}))
        .isEqualTo(new Estimate(30, 10, 50, 5));
  }

  /**
   * Of 9 distinct values the smallest has P(Bin(9, 1/9) >= 5) = 0.0014 and the two smallest
   * together P(Bin(9, 2/9) >= 5) = 0.0304, so 2.5 % falls on the second.
   */
  @Test
  void nineRoundsLeaveOutTheExtremes() {
    assertThat(Bootstrap.standard().median(new double[] {9, 8, 7, 6, 5, 4, 3, 2, 1}))
        .isEqualTo(new Estimate(5, 2, 8, 9));
  }

  @Test
  void fewOrEqualRounds() {
    assertThat(Bootstrap.standard().median(new double[0]).exists()).isFalse();
    assertThat(Bootstrap.standard().median(new double[] {7})).isEqualTo(new Estimate(7, 7, 7, 1));
    assertThat(Bootstrap.standard().median(new double[] {7, 7, 7, 7}))
        .isEqualTo(new Estimate(7, 7, 7, 4));
  }

  @Test
  void sameSeedSameIntervalWhateverTheOrder() {
    double[] rounds = normals(new SplittableRandom(SEED), 8, 10, 1);
    Estimate first = new Bootstrap(3, 1_000).median(rounds);
    double[] sorted = rounds.clone();
    Arrays.sort(sorted);
    assertThat(new Bootstrap(3, 1_000).median(sorted)).isEqualTo(first);
    assertThat(first.lo()).isLessThan(first.value());
    assertThat(first.hi()).isGreaterThan(first.value());
  }

  /** Scaling by a power of two is exact, so it must pass through to the last bit. */
  @Test
  void scalesWithTheUnit() {
    double[] rounds = normals(new SplittableRandom(SEED), 12, 10, 1);
    Estimate plain = Bootstrap.standard().median(rounds);
    Estimate scaled =
        Bootstrap.standard().median(Arrays.stream(rounds).map(v -> v * 1024).toArray());
    assertThat(scaled)
        .isEqualTo(new Estimate(plain.value() * 1024, plain.lo() * 1024, plain.hi() * 1024, 12));
  }

  @Test
  void coversTheTruthInAboutNineteenOfTwentyExperiments() {
    SplittableRandom random = new SplittableRandom(SEED);
    int experiments = 400;
    for (int rounds : new int[] {8, 12}) {
      int covered = 0;
      for (int i = 0; i < experiments; i++) {
        if (new Bootstrap(i, 1_000).median(normals(random, rounds, 50, 5)).contains(50)) {
          covered++;
        }
      }
      assertThat(covered / (double) experiments)
          .as("share of intervals over %d rounds that hold the truth, seed %d", rounds, SEED)
          .isBetween(0.88, 0.99);
    }
  }

  @Test
  void refusesWhatItCannotDo() {
    assertThatThrownBy(() -> new Bootstrap(1, 10)).hasMessageContaining("at least 40");
    assertThatThrownBy(() -> Bootstrap.standard().median(new double[] {1, Double.NaN}))
        .hasMessageContaining("not finite");
  }

  /**
   * A bootstrap keeps what it drew for a number of rounds; other values have their own interval.
   */
  @Test
  void givesTheMediansOfTheDrawnRounds() {
    SplittableRandom random = new SplittableRandom(SEED);
    Bootstrap bootstrap = new Bootstrap(SEED, 1_000);
    for (int rounds : new int[] {2, 3, 8, 9, 8, 100}) {
      double[] values = normals(random, rounds, 10, 1);
      values[0] = values[1];
      assertThat(bootstrap.median(values))
          .as("of %d rounds", rounds)
          .isEqualTo(resampled(values, SEED, 1_000));
    }
  }

  private static Estimate resampled(double[] values, long seed, int resamples) {
    UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed);
    double[] medians = new double[resamples];
    // The ranks are drawn, not the positions.
    double[] sorted = Arrays.stream(values).sorted().toArray();
    for (int i = 0; i < resamples; i++) {
      medians[i] =
          Medians.of(
              IntStream.range(0, values.length)
                  .mapToDouble(value -> sorted[random.nextInt(values.length)])
                  .toArray());
    }
    Arrays.sort(medians);
    int cut = resamples / 40;
    return new Estimate(
        Medians.of(values), medians[cut], medians[resamples - 1 - cut], values.length);
  }

  static double[] normals(SplittableRandom random, int n, double mean, double deviation) {
    // Box-Muller: needs only uniform doubles from the generator.
    return DoubleStream.generate(
            () ->
                mean
                    + deviation
                        * Math.sqrt(-2 * Math.log(1 - random.nextDouble()))
                        * Math.cos(2 * Math.PI * random.nextDouble()))
        .limit(n)
        .toArray();
  }
}
