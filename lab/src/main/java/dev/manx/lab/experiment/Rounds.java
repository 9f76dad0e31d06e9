/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** The order of turns. */
final class Rounds {
  private Rounds() {}

  /** Arm by arm: what has ended can be written and forgotten. */
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
   * Load by load; in each round every case, and in each case its arms one after the other in a
   * random order, the same in every run, so that drift of the machine hits all arms alike.
   */
  static <S, P> List<Turn<S, P>> interleaved(Experiment<S, P> experiment) {
    List<Turn<S, P>> turns = new ArrayList<>();
    for (String load : experiment.points().stream().map(Point::load).distinct().toList()) {
      List<Point<S, P>> points =
          experiment.points().stream().filter(point -> point.load().equals(load)).toList();
      int rounds = points.stream().mapToInt(Point::rounds).max().orElse(0);
      for (long seed : experiment.head().seeds()) {
        for (int round = 1; round <= rounds; round++) {
          Random order = new Random(Turn.streamSeed(seed, round));
          for (Point<S, P> point : points) {
            if (round <= point.rounds()) {
              List<Arm<S>> arms = new ArrayList<>(point.arms());
              Collections.shuffle(arms, order);
              for (Arm<S> arm : arms) {
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
