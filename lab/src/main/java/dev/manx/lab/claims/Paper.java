/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import java.util.List;

/**
 * A paper's claims.
 *
 * @param id short name, as {@code --run} takes it
 * @param title of the paper, with where it appeared
 * @param setup on what the published numbers were measured
 * @param runs the experiments that its claims are tried by
 * @param claims in the order of the catalogue
 */
record Paper(String id, String title, String setup, List<Run> runs, List<Claim> claims) {
  /**
   * An experiment.
   *
   * @param experiment its name, which its result folders carry
   * @param file relative to the checkout
   * @param takes about how long it takes, in words
   */
  record Run(String experiment, String file, String takes) {}
}
