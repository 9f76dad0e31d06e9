/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import java.util.List;

/**
 * One condition that is measured apart: a load, a case, a point of a sweep. Arms are compared
 * within a point only.
 *
 * @param load as it stands in the result files
 * @param requestClass the class of its rows; {@code all} unless the point is a case
 * @param params of a sweep, {@code name=value} joined by {@code ;}, or empty
 * @param summarised whether it has rows in {@code summary.csv}, a timeline and logs; a point
 *     without them has its latencies among the metrics
 * @param rounds turns of each arm with each seed
 * @param arms those measured there, in the file's order
 * @param marks what is known beforehand to happen in every turn
 * @param settings what the turns need to know
 */
public record Point<S, P>(
    String load,
    String requestClass,
    String params,
    boolean summarised,
    int rounds,
    List<Arm<S>> arms,
    List<Measured.Mark> marks,
    P settings) {
  /** Copies the lists. */
  public Point {
    arms = List.copyOf(arms);
    marks = List.copyOf(marks);
  }
}
