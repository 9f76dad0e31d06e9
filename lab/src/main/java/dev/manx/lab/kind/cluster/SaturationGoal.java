/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.experiment.Choices;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Section;
import dev.manx.policy.config.Setting;

/**
 * The goal for the search for an arm's highest throughput.
 *
 * @param percentile of all requests, 0 to 100
 * @param atMostNanos largest latency allowed
 * @param tolerance the search stops when the failing rate is at most this fraction above the best
 *     one
 * @param trials largest number of rates tried in one search
 * @param repeats searches of each arm, interleaved with the others'
 */
public record SaturationGoal(
    double percentile, long atMostNanos, double tolerance, int trials, int repeats) {
  private static final int QUICK_TRIALS = 4;
  private static final int QUICK_REPEATS = 2;

  static final Section SECTION =
      Section.of(
          Key.of(
              Setting.number(
                  "percentile", 99, 1, 100, "percentile of the latency of all requests")),
          Key.required(
              Setting.duration(
                  "at-most",
                  "1s",
                  "1us",
                  "10min",
                  "the highest latency; the backlog must not grow, 0.1 % may fail")),
          Key.of(
              Setting.share(
                  "tolerance", 0.05, 0.001, 1, "stops when the failing rate is this close")),
          Key.of(Setting.whole("trials", 10, 2, 100, "most rates tried in one search")),
          Key.of(Setting.whole("repeats", 8, 1, 100, "searches of each arm, interleaved")));

  static SaturationGoal read(Part goal) {
    return new SaturationGoal(
        goal.real("percentile"),
        goal.number("at-most"),
        goal.real("tolerance"),
        goal.whole("trials"),
        goal.whole("repeats"));
  }

  /** Shortens the searches of a quick run. */
  static void shorten(Part goal, Choices choices) {
    choices.shorten(goal, "saturation.trials", QUICK_TRIALS);
    choices.shorten(goal, "saturation.repeats", QUICK_REPEATS);
  }
}
