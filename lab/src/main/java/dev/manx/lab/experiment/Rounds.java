/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.lab.stats.BalancedOrder;
import java.util.ArrayList;
import java.util.List;

/** The order of turns. */
final class Rounds {
  private Rounds() {}

  /** Arm by arm: finished results can be written and dropped. */
  static <S, P> List<Turn<S, P>> byArm(Experiment<S, P> experiment) {
    List<Turn<S, P>> turns = new ArrayList<>();
    for (Point<S, P> point : experiment.points()) {
      for (Arm<S> arm : point.arms()) {
        for (long seed : experiment.head().seeds()) {
          for (int round = 1; round <= point.rounds(); round++) {
            turns.add(new Turn<>(arm, point, seed, round));
          }
        }
      }
    }
    return turns;
  }

  /**
   * Load by load; each round has every case, and each case its arms in a balanced random order,
   * equal in all runs, so that drift of the machine affects all arms alike.
   */
  static <S, P> List<Turn<S, P>> interleaved(Experiment<S, P> experiment) {
    List<Turn<S, P>> turns = new ArrayList<>();
    for (String load : experiment.points().stream().map(Point::load).distinct().toList()) {
      List<Point<S, P>> points =
          experiment.points().stream().filter(point -> point.load().equals(load)).toList();
      int rounds = points.stream().mapToInt(Point::rounds).max().orElse(0);
      for (long seed : experiment.head().seeds()) {
        for (int round = 1; round <= rounds; round++) {
          for (Point<S, P> point : points) {
            if (round <= point.rounds()) {
              long own = seed * points.size() + points.indexOf(point);
              for (Arm<S> arm : BalancedOrder.of(point.arms(), own, round)) {
                turns.add(new Turn<>(arm, point, seed, round));
              }
            }
          }
        }
      }
    }
    return turns;
  }
}
