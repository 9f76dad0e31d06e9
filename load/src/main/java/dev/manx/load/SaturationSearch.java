/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Searches for the highest rate that meets a goal: doubles or halves a first guess until one rate
 * meets it and a higher one does not, then bisects between them. Assumes that a rate above a
 * failing one fails too; a probe's noise moves the answer by no more than the noise moves the
 * goal's crossing.
 */
public final class SaturationSearch {
  /** Tries one rate. */
  @FunctionalInterface
  public interface Probe {
    /** Runs at a rate, requests per second. */
    Trial run(double requestsPerSecond) throws InterruptedException;
  }

  /**
   * The result of a probe.
   *
   * @param requestsPerSecond the intended rate
   * @param throughputPerSecond requests answered per second
   * @param latencyNanos the latency limited by the goal
   * @param holds whether the goal was met
   */
  public record Trial(
      double requestsPerSecond, double throughputPerSecond, long latencyNanos, boolean holds) {}

  /**
   * The answer.
   *
   * @param best the fastest trial that met the goal; empty if none did
   * @param bracketed whether a rate at most the tolerance above the best one failed
   * @param trials all trials in order
   */
  public record Result(Optional<Trial> best, boolean bracketed, List<Trial> trials) {}

  private final double tolerance;
  private final int maxTrials;

  /**
   * Configures a search.
   *
   * @param tolerance stops when the failing rate is at most this fraction above the best one
   * @param maxTrials largest number of trials
   */
  public SaturationSearch(double tolerance, int maxTrials) {
    if (!(tolerance > 0) || maxTrials < 1) {
      throw new IllegalArgumentException(
          "tolerance is above 0 and trials at least 1, not " + tolerance + " and " + maxTrials);
    }
    this.tolerance = tolerance;
    this.maxTrials = maxTrials;
  }

  /** Searches from a first guess. */
  public Result search(double firstRate, Probe probe) throws InterruptedException {
    if (!(firstRate > 0)) {
      throw new IllegalArgumentException("the first rate is above 0, not " + firstRate);
    }
    List<Trial> trials = new ArrayList<>();
    Trial best = null;
    double failing = Double.POSITIVE_INFINITY;
    double rate = firstRate;
    while (trials.size() < maxTrials && !narrow(best, failing)) {
      Trial trial = probe.run(rate);
      trials.add(trial);
      if (trial.holds()) {
        best = trial;
      } else {
        failing = rate;
      }
      rate = next(best, failing);
    }
    return new Result(Optional.ofNullable(best), narrow(best, failing), List.copyOf(trials));
  }

  private boolean narrow(Trial best, double failing) {
    return best != null && failing <= best.requestsPerSecond() * (1 + tolerance);
  }

  private static double next(Trial best, double failing) {
    if (best == null) {
      return failing / 2;
    }
    double low = best.requestsPerSecond();
    return Double.isInfinite(failing) ? low * 2 : (low + failing) / 2;
  }
}
