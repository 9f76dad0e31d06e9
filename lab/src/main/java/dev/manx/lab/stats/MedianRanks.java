/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.stats;

import java.util.Arrays;
import java.util.Comparator;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * The resampled medians of a number of rounds, as ranks: which rounds are drawn does not depend on
 * their values, so the ranks serve any values. Immutable; any thread.
 */
final class MedianRanks {
  /** Rank below the middle times the number of rounds, plus rank above the middle; distinct. */
  private final int[] ranks;

  /** How many resamples have the median of these ranks. */
  private final int[] times;

  private final int rounds;

  private record Drawn(double median, int times) {}

  private MedianRanks(int[] ranks, int[] times, int rounds) {
    this.ranks = ranks;
    this.times = times;
    this.rounds = rounds;
  }

  /** Draws as many rounds as there are, with replacement, and takes the ranks of their median. */
  static MedianRanks draw(UniformRandomProvider random, int resamples, int rounds) {
    int[] drawn = new int[resamples];
    int[] picks = new int[rounds];
    for (int r = 0; r < resamples; r++) {
      for (int i = 0; i < rounds; i++) {
        picks[i] = random.nextInt(rounds);
      }
      Arrays.sort(picks);
      drawn[r] = picks[(rounds - 1) / 2] * rounds + picks[rounds / 2];
    }
    Arrays.sort(drawn);
    int[] times = new int[resamples];
    int distinct = 0;
    for (int r = 0; r < resamples; r++) {
      if (r > 0 && drawn[r] != drawn[r - 1]) {
        distinct++;
      }
      drawn[distinct] = drawn[r];
      times[distinct]++;
    }
    return new MedianRanks(
        Arrays.copyOf(drawn, distinct + 1), Arrays.copyOf(times, distinct + 1), rounds);
  }

  /**
   * The interval without the given number of lowest and of highest medians.
   *
   * @param sorted one value per round, ascending
   * @param value the estimate
   */
  Estimate between(double[] sorted, double value, int cut) {
    Drawn[] medians = new Drawn[ranks.length];
    for (int i = 0; i < ranks.length; i++) {
      double median = (sorted[ranks[i] / rounds] + sorted[ranks[i] % rounds]) / 2;
      medians[i] = new Drawn(median, times[i]);
    }
    Arrays.sort(medians, Comparator.comparingDouble(Drawn::median));
    int low = 0;
    for (int below = medians[low].times(); below <= cut; below += medians[low].times()) {
      low++;
    }
    int high = medians.length - 1;
    for (int above = medians[high].times(); above <= cut; above += medians[high].times()) {
      high--;
    }
    return new Estimate(value, medians[low].median(), medians[high].median(), rounds);
  }
}
