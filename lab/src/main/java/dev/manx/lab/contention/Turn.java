/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.contention;

import dev.manx.contention.engine.Repetition;
import dev.manx.contention.engine.RepetitionResult;
import dev.manx.lab.contention.ContentionExperiment.Case;
import dev.manx.lab.contention.ContentionExperiment.EngineArm;
import dev.manx.lab.experiment.Load;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * One repetition of an arm in a case.
 *
 * @param threads sessions
 * @param round from 1
 */
record Turn(EngineArm arm, Case in, int threads, Load load, long seed, int round) {

  /** A turn that has ended. */
  record Ended(Turn turn, RepetitionResult result, boolean noisy) {}

  /**
   * All turns in the order in which they are to run: in each round every case, and in each case its
   * arms one after the other in an order of their own, so that drift of the machine hits all alike.
   */
  static List<Turn> plan(ContentionExperiment experiment, List<EngineArm> arms) {
    Random order = new Random(experiment.seeds().get(0));
    int rounds = experiment.cases().stream().mapToInt(Case::rounds).max().orElse(0);
    List<Turn> turns = new ArrayList<>();
    for (long seed : experiment.seeds()) {
      for (int round = 1; round <= rounds; round++) {
        for (Load load : experiment.loads()) {
          for (Case one : experiment.cases()) {
            if (round <= one.rounds()) {
              turns.addAll(round(one, arms, load, seed, round, order));
            }
          }
        }
      }
    }
    return turns;
  }

  private static List<Turn> round(
      Case one, List<EngineArm> arms, Load load, long seed, int round, Random order) {
    List<Turn> turns = new ArrayList<>();
    for (int threads : one.threads()) {
      List<EngineArm> shuffled =
          new ArrayList<>(arms.stream().filter(arm -> one.arms().contains(arm.name())).toList());
      Collections.shuffle(shuffled, order);
      shuffled.forEach(arm -> turns.add(new Turn(arm, one, threads, load, seed, round)));
    }
    return turns;
  }

  /** What the driver is to do. */
  Repetition repetition(ContentionExperiment experiment, double ratePerSecond, int machineCores) {
    int cores = in.squeeze().pins() ? Math.min(experiment.cores(), machineCores) : 0;
    return new Repetition(
        threads,
        ratePerSecond,
        experiment.warmUpMillis(),
        in.windowMillis(),
        cores,
        in.squeeze().boosts() ? experiment.boosted(threads) : 0,
        experiment.nice(),
        in.fromMillis(),
        in.toMillis(),
        arm.admitted(cores == 0 ? machineCores : cores),
        experiment.data(),
        // Each round has arrivals of its own, the same for all arms.
        seed * 1_000_003 + round);
  }

  /** For the progress line. */
  String words() {
    return arm.name() + ", " + in.squeeze().label() + ", " + threads + " threads, round " + round;
  }
}
