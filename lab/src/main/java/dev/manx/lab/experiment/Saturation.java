/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.simulator.Outcome;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * The rule by which an arm counts as saturated: its latency then says how long the run was, and is
 * not compared.
 */
public final class Saturation {
  /** Metric: measured utilisation, percent of the capacity. */
  public static final String UTILISATION = "utilisation_pct";

  /** Metric: 1 if the arm was saturated. */
  public static final String SATURATED = "saturated";

  /** Metric: 1 if queues are known not to grow, 0 if they do; where it is known it decides. */
  public static final String STABLE = Outcome.STABLE;

  /** The metrics that it is decided by. */
  public static final List<String> METRICS = List.of(STABLE, SATURATED, UTILISATION);

  /** Utilisation above which queues, not policies, decide. */
  private static final double LIMIT_PCT = 85;

  private Saturation() {}

  /** Whether a utilisation alone says so. */
  static boolean isFull(double utilisationPct) {
    return utilisationPct > LIMIT_PCT;
  }

  /**
   * Whether an arm was saturated.
   *
   * @param overall its metrics over all rounds, by name; empty for one that was not measured
   */
  public static boolean of(Function<String, OptionalDouble> overall) {
    OptionalDouble stable = overall.apply(STABLE);
    return stable.isPresent()
        ? stable.getAsDouble() < 0.5
        : overall.apply(SATURATED).orElse(0) > 0 || isFull(overall.apply(UTILISATION).orElse(0));
  }
}
