/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PairedComparisonTest {
  private static final long SEED = 77;
  private static final Bootstrap BOOTSTRAP = Bootstrap.standard();

  /**
   * Ratios by hand: 0.5 0.4 0.5 0.6 0.5 0.5 0.4 0.6 0.5, sorted .4 .4 .5 .5 .5 .5 .5 .6 .6; the
   * interval runs from the second to the eighth, as in {@link BootstrapTest}.
   */
  @Test
  void ratiosInsideRounds() {
    Map<Integer, Double> baseline = rounds(10, 20, 30, 40, 50, 60, 70, 80, 90);
    Map<Integer, Double> arm = rounds(5, 8, 15, 24, 25, 30, 28, 48, 45);
    PairedComparison result = PairedComparison.of(arm, baseline, false, BOOTSTRAP);
    assertThat(result.verdict()).isEqualTo(Verdict.LOWER);
    assertThat(result.ratio().value()).isCloseTo(0.5, within(1e-12));
    assertThat(result.ratio().lo()).isCloseTo(0.4, within(1e-12));
    assertThat(result.ratio().hi()).isCloseTo(0.6, within(1e-12));
    assertThat(result.ratio().rounds()).isEqualTo(9);
  }

  /** Rounds drift from 10 to 80, far more than the 10 % between the arms; blocks still show it. */
  @Test
  void driftBetweenRoundsCancels() {
    Map<Integer, Double> baseline = rounds(10, 20, 30, 40, 50, 60, 70, 80);
    Map<Integer, Double> arm = rounds(11, 22.1, 33.2, 44, 54.8, 66, 77.1, 88);
    assertThat(PairedComparison.of(arm, baseline, false, BOOTSTRAP).verdict())
        .isEqualTo(Verdict.HIGHER);
  }

  @Test
  void swappingTheArmsInverts() {
    SplittableRandom random = new SplittableRandom(SEED);
    Map<Integer, Double> a = noisy(random, 8, 100);
    Map<Integer, Double> b = noisy(random, 8, 60);
    Estimate there = PairedComparison.of(a, b, false, BOOTSTRAP).ratio();
    Estimate back = PairedComparison.of(b, a, false, BOOTSTRAP).ratio();
    assertThat(there.value() * back.value()).as("seed %d", SEED).isCloseTo(1, within(1e-9));
    // The interval's ends come from different resamples, so they agree except for one step of
    // order.
    assertThat(there.lo() * back.hi()).as("seed %d", SEED).isCloseTo(1, within(0.05));
  }

  @Test
  void onlySharedRoundsCount() {
    Map<Integer, Double> baseline = rounds(1, 1, 1, 1, 1, 1, 1, 1);
    Map<Integer, Double> arm = rounds(2, 2, 2, 2, 2, 2, 2, 2);
    arm.remove(3);
    arm.put(99, 1000.0);
    PairedComparison result = PairedComparison.of(arm, baseline, false, BOOTSTRAP);
    assertThat(result.verdict()).isEqualTo(Verdict.TOO_FEW_ROUNDS);
    assertThat(result.ratio()).isEqualTo(new Estimate(2, 2, 2, 7));
  }

  @Test
  void saturatedIsNotCompared() {
    Map<Integer, Double> eight = rounds(1, 2, 3, 4, 5, 6, 7, 8);
    PairedComparison result = PairedComparison.of(eight, eight, true, BOOTSTRAP);
    assertThat(result.verdict()).isEqualTo(Verdict.SATURATED);
    assertThat(result.ratio().exists()).isFalse();
  }

  @Test
  void nothingShared() {
    PairedComparison result =
        PairedComparison.of(rounds(1), Map.<Integer, Double>of(), false, BOOTSTRAP);
    assertThat(result.verdict()).isEqualTo(Verdict.TOO_FEW_ROUNDS);
    assertThat(result.ratio().exists()).isFalse();
  }

  @Test
  void equalArmsAreNoDifferenceInMostExperiments() {
    SplittableRandom random = new SplittableRandom(SEED);
    int experiments = 300;
    int none = 0;
    for (int i = 0; i < experiments; i++) {
      PairedComparison result =
          PairedComparison.of(
              noisy(random, 8, 50), noisy(random, 8, 50), false, new Bootstrap(i, 1_000));
      none += result.verdict() == Verdict.NO_DIFFERENCE ? 1 : 0;
    }
    assertThat(none / (double) experiments)
        .as("share of NO_DIFFERENCE between equal arms, seed %d", SEED)
        .isBetween(0.88, 0.99);
  }

  @Test
  void refusesRatiosOfLessThanNothing() {
    assertThatThrownBy(() -> PairedComparison.of(rounds(-1), rounds(1), false, BOOTSTRAP))
        .hasMessageContaining("cannot form a ratio with -1.0");
  }

  /** A mean of the two middle rounds must stay a number. */
  @Test
  void zeroIsTheWorstRound() {
    Map<Integer, Double> arm = rounds(0, 0, 0, 0, 3, 3, 3, 3);
    Map<Integer, Double> baseline = rounds(2, 2, 2, 2, 0, 0, 0, 0);
    PairedComparison mixed = PairedComparison.of(arm, baseline, false, BOOTSTRAP);
    assertThat(mixed.verdict()).isEqualTo(Verdict.NO_DIFFERENCE);
    assertThat(mixed.ratio()).isEqualTo(new Estimate(1, 0, Double.POSITIVE_INFINITY, 8));
    PairedComparison half =
        PairedComparison.of(arm, rounds(2, 2, 2, 2, 2, 2, 2, 2), false, BOOTSTRAP);
    assertThat(half.ratio().value()).isZero();
    assertThat(half.ratio().hi()).isCloseTo(1.5, within(1e-9));
  }

  @Test
  void roundsOfNothingInBothAreLeftOut() {
    PairedComparison result =
        PairedComparison.of(rounds(0, 3, 3), rounds(0, 2, 2), false, BOOTSTRAP);
    assertThat(result.ratio().value()).isCloseTo(1.5, within(1e-9));
    assertThat(result.ratio().rounds()).isEqualTo(2);
  }

  private static Map<Integer, Double> rounds(double... values) {
    Map<Integer, Double> map = new TreeMap<>();
    for (int i = 0; i < values.length; i++) {
      map.put(i + 1, values[i]);
    }
    return map;
  }

  private static Map<Integer, Double> noisy(SplittableRandom random, int n, double mean) {
    return rounds(BootstrapTest.normals(random, n, mean, mean / 10));
  }
}
