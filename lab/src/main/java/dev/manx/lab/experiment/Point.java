/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import java.util.List;

/**
 * A condition measured separately: a load, a case, a point of a sweep. Arms are compared within a
 * point only.
 *
 * @param load load as written in the result files
 * @param requestClass the class of its rows; {@code all} unless the point is a case
 * @param params of a sweep, {@code name=value} joined by {@code ;}, or empty
 * @param summarised whether it has rows in {@code summary.csv}, a timeline and logs; otherwise its
 *     latencies are among the metrics
 * @param rounds turns of each arm with each seed
 * @param arms arms measured there, in the file's order
 * @param marks events known in advance in every turn
 * @param settings settings of the turns
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
  public Point {
    arms = List.copyOf(arms);
    marks = List.copyOf(marks);
  }

  /** A name, with the params of a sweep. */
  public String named(String name) {
    return params.isEmpty() ? name : name + ", " + params;
  }
}
