/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.workload.result.RowKey;

/**
 * One measurement of one arm.
 *
 * @param arm the arm
 * @param point the condition
 * @param seed of the experiment
 * @param round from 1
 */
public record Turn<S, P>(Arm<S> arm, Point<S, P> point, long seed, int round) {
  /** The seed of this round's requests: different in each round, equal for all arms. */
  public long streamSeed() {
    return streamSeed(seed, round);
  }

  static long streamSeed(long seed, int round) {
    return seed * 1_000_003 + round;
  }

  /** Whether another turn has this condition and round. */
  boolean isBeside(Turn<S, P> other) {
    return point == other.point && seed == other.seed && round == other.round;
  }

  RowKey key(String experiment) {
    return new RowKey(
        experiment,
        arm.name(),
        point.requestClass(),
        point.load(),
        Long.toString(seed),
        Integer.toString(round));
  }

  /** A description for users: {@code 70% round 2 of 8 manx}. */
  String words() {
    return words("round " + round + " of " + point.rounds());
  }

  /** A description for users of an experiment whose rounds are seeds: {@code 70% seed 2 manx}. */
  String wordsOfSeed() {
    return words("seed " + seed);
  }

  private String words(String which) {
    String words = point.load() + "  " + which + "  " + arm.name();
    words += point.requestClass().equals(RowKey.ALL) ? "" : "  " + point.requestClass();
    return point.params().isEmpty() ? words : words + "  " + point.params();
  }
}
