/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Section;
import dev.manx.policy.config.Setting;

/**
 * When a turn is believed, and how often one that is not is played again; the quietest counts.
 *
 * @param foreign most CPU time that other processes may use, as a share of one core
 * @param steal most that other guests of the host may take, likewise
 * @param repeats of a noisy turn
 * @param atMost repeats in the whole run
 */
public record Quiet(double foreign, double steal, int repeats, int atMost) {
  /** Every turn counts as it is. */
  public static final Quiet ANY = new Quiet(Double.MAX_VALUE, Double.MAX_VALUE, 0, 0);

  /** The keys of the mapping {@code quiet}. */
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
                  "steal", 0.05, 0, 100, "the same for CPU time that the hypervisor takes")),
          Key.of(Setting.whole("repeats", 1, 0, 100, "how often a noisy turn is played again")),
          Key.of(Setting.whole("at-most", 10, 0, 10_000, "repeats in the whole run")));

  /** Reads the mapping. */
  public static Quiet read(Part quiet) {
    return new Quiet(
        quiet.real("foreign"), quiet.real("steal"), quiet.whole("repeats"), quiet.whole("at-most"));
  }

  boolean isNoisy(Measured measured) {
    return measured.foreignCores() > foreign || measured.stolenCores() > steal;
  }
}
