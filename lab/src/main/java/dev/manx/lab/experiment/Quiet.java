/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Section;
import dev.manx.policy.config.Setting;

/**
 * The limits of noise in a turn, and how often noisy turns are repeated; the quietest counts.
 *
 * @param foreign largest CPU time of other processes, as a share of one core
 * @param steal largest CPU time taken by other guests of the host, likewise
 * @param repeats of a noisy turn
 * @param atMost repeats in the whole run
 */
public record Quiet(double foreign, double steal, int repeats, int atMost) {
  /** Every turn counts. */
  public static final Quiet ANY = new Quiet(Double.MAX_VALUE, Double.MAX_VALUE, 0, 0);

  // Any noise exceeds a limit of 0, and more noise exceeds it more.
  private static final double LEAST_LIMIT = 1e-300;

  public static final Section SECTION =
      Section.of(
          Key.of(
              Setting.share(
                  "foreign",
                  0.1,
                  0,
                  100,
                  "CPU time of other processes, as a share of one core, above which a turn is"
                      + " noisy")),
          Key.of(
              Setting.share(
                  "steal",
                  0.05,
                  0,
                  100,
                  "CPU time taken by the hypervisor, as a share of one "
                      + "core, above which a turn is noisy")),
          Key.of(Setting.whole("repeats", 1, 0, 100, "largest number of repeats of a noisy turn")),
          Key.of(Setting.whole("at-most", 10, 0, 10_000, "repeats in the whole run")));

  public static Quiet read(Part quiet) {
    return new Quiet(
        quiet.real("foreign"), quiet.real("steal"), quiet.whole("repeats"), quiet.whole("at-most"));
  }

  /**
   * The larger of both noises, each relative to its limit: up to 1 is within the limits. Noise that
   * could not be measured counts as 0.
   */
  double noise(Measured measured) {
    return Math.max(
        relative(measured.foreignCores(), foreign), relative(measured.stolenCores(), steal));
  }

  private static double relative(double cores, double limit) {
    return Double.isNaN(cores) ? 0 : cores / Math.max(limit, LEAST_LIMIT);
  }

  /** Noise that could not be measured is within the limits: {@link #isKnown}. */
  boolean isNoisy(Measured measured) {
    return measured.foreignCores() > foreign || measured.stolenCores() > steal;
  }

  /** Whether the measured noise decides if the turn was noisy. */
  boolean isKnown(Measured measured) {
    return isNoisy(measured)
        || !(Double.isNaN(measured.foreignCores()) || Double.isNaN(measured.stolenCores()));
  }
}
