/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import java.util.List;
import java.util.Map;

/**
 * A paper's claims.
 *
 * @param id short name, for {@code --run}
 * @param title of the paper, with its venue
 * @param setup setup of the published measurements
 * @param runs the experiments that test its claims
 * @param claims in the order of their numbers
 */
record Paper(String id, String title, String setup, List<Run> runs, List<Claim> claims) {
  /**
   * An experiment.
   *
   * @param experiment its name, recorded in its result folders
   * @param file relative to the checkout
   * @param takes approximate duration, in words
   * @param remarksOf revision of the rows that the remarks were written for; empty if not stated
   * @param notes by revision, facts needed to read rows of that revision: the end of a sentence
   *     that begins with the revision
   */
  record Run(
      String experiment, String file, String takes, String remarksOf, Map<String, String> notes) {}
}
