/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.run;

import dev.manx.lab.experiment.Arm;
import dev.manx.lab.experiment.Load;

/**
 * One arm's turn: what is measured between two switches.
 *
 * @param arm who
 * @param load how much
 * @param seed of the experiment
 * @param round from 1
 * @param startSeconds start of its window since the experiment's start
 */
record Turn(Arm arm, Load load, long seed, int round, double startSeconds) {
  /** Tag of its line in a histogram log, which the report sorts by. */
  String tag(boolean manyLoads) {
    String own = "s" + seed + "r" + round;
    return manyLoads ? load.label().replaceAll("[,\\s]", "_") + ";" + own : own;
  }
}
