/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload.result;

import java.util.List;

/**
 * The key of a row of {@code summary.csv} or {@code metrics.csv}.
 *
 * @param experiment the experiment's name
 * @param arm the arm's name, exactly as in the experiment file
 * @param requestClass {@code all} or a class the experiment declares (column {@code class})
 * @param load the load as the experiment names it, for example {@code 70%} or {@code 120/s}
 * @param seed a seed or {@code all}
 * @param round a round's number from 1, or {@code all} for the pool of a seed's rounds
 */
public record RowKey(
    String experiment, String arm, String requestClass, String load, String seed, String round) {
  /** The class of every request, and the seed and round of pooled rows. */
  public static final String ALL = "all";

  static final List<String> COLUMNS =
      List.of("experiment", "arm", "class", "load", "seed", "round");

  /** Returns the key for another class. */
  public RowKey withClass(String otherClass) {
    return new RowKey(experiment, arm, otherClass, load, seed, round);
  }

  /** Returns the key for another seed. */
  public RowKey withSeed(String otherSeed) {
    return new RowKey(experiment, arm, requestClass, load, otherSeed, round);
  }

  /** Returns the key for another round. */
  public RowKey withRound(String otherRound) {
    return new RowKey(experiment, arm, requestClass, load, seed, otherRound);
  }

  /** Whether the row is of a single round. */
  public boolean isRound() {
    return !seed.equals(ALL) && !round.equals(ALL);
  }

  /** Whether the row is of all seeds and rounds together. */
  public boolean isPooled() {
    return seed.equals(ALL) && round.equals(ALL);
  }

  List<String> fields() {
    return List.of(experiment, arm, requestClass, load, seed, round);
  }

  static RowKey parse(CsvFields in) {
    return new RowKey(
        in.name("experiment"),
        in.name("arm"),
        in.name("class"),
        in.name("load"),
        in.name("seed"),
        in.name("round"));
  }
}
