/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.simulator.Outcome;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * The rule for saturated arms: their latency depends on the length of the run and is not compared.
 */
public final class Saturation {
  /** Metric: measured utilisation, percent of the capacity. */
  public static final String UTILISATION = Outcome.UTILISATION;

  /** Metric: 1 if the arm was saturated. */
  public static final String SATURATED = "saturated";

  /** Metric: 1 if queues are known not to grow, 0 if they grow; decisive if known. */
  public static final String STABLE = Outcome.STABLE;

  /** Metric: 1 in a round in which the backlog grew. */
  private static final String GROWING = "backlog_growing";

  /** The metrics for this decision. */
  public static final List<String> METRICS = List.of(STABLE, SATURATED, UTILISATION);

  /**
   * Share of an arm's requests that may fail: in a search for its highest rate, in a figure of a
   * published claim, and in excess of the other arm's in a bound.
   */
  public static final double MOST_FAILED_SHARE = 0.001;

  /** Utilisation above which queues, not policies, determine latency. */
  private static final double LIMIT_PCT = 85;

  private Saturation() {}

  /** Whether a utilisation alone means saturation. */
  static boolean isFull(double utilisationPct) {
    return utilisationPct > LIMIT_PCT;
  }

  /**
   * Whether an arm was saturated at a load. A closed loop uses whatever capacity there is, so only
   * growing queues count there.
   *
   * @param load its label
   * @param overall its metrics over all rounds, by name; empty if not measured
   */
  public static boolean of(String load, Function<String, OptionalDouble> overall) {
    if (Load.isClosed(load)) {
      return grows(overall);
    }
    OptionalDouble stable = overall.apply(STABLE);
    return stable.isPresent()
        ? stable.getAsDouble() < 0.5
        : grows(overall)
            || overall.apply(SATURATED).orElse(0) > 0
            || isFull(overall.apply(UTILISATION).orElse(0));
  }

  /**
   * Whether an arm's queues grew in most rounds. A high utilisation alone does not mean that: an
   * arm that keeps up with its load answers all of it.
   *
   * @param overall its metrics over all rounds, by name; empty if not measured
   */
  public static boolean grows(Function<String, OptionalDouble> overall) {
    OptionalDouble stable = overall.apply(STABLE);
    return stable.isPresent() ? stable.getAsDouble() < 0.5 : overall.apply(GROWING).orElse(0) > 0.5;
  }
}
