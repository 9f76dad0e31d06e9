/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import static dev.manx.lab.experiment.YamlText.ordered;

import dev.manx.policy.config.ConfigNode;
import java.util.Map;

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

  /** Reads the mapping {@code quiet}. */
  public static Quiet read(ConfigNode node) {
    Quiet quiet =
        new Quiet(
            node.find("foreign").map(n -> n.fraction(0, 100)).orElse(0.1),
            node.find("steal").map(n -> n.fraction(0, 100)).orElse(0.05),
            node.find("repeats").map(n -> (int) n.integer(0, 100)).orElse(1),
            node.find("at-most").map(n -> (int) n.integer(0, 10_000)).orElse(10));
    node.noOtherKeys();
    return quiet;
  }

  /** The mapping that reads as this. */
  public Map<String, Object> written() {
    return ordered("foreign", foreign, "steal", steal, "repeats", repeats, "at-most", atMost);
  }

  boolean isNoisy(Measured measured) {
    return measured.foreignCores() > foreign || measured.stolenCores() > steal;
  }
}
