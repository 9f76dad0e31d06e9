/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Units;
import dev.manx.simulator.Outcome;
import java.util.stream.Stream;

/**
 * The load on the cluster.
 *
 * @param label as written: {@code 70%}, {@code 120/s}, {@code 16 clients}, {@code closed}
 * @param fraction of the modelled capacity, or NaN
 * @param requestsPerSecond absolute rate, or NaN
 * @param clients constant number of requests in flight in a closed loop; 0 for an open loop, and
 *     for a closed one whose threads are a setting of the experiment
 */
public record Load(String label, double fraction, double requestsPerSecond, int clients) {
  /** The label of a closed loop whose threads are a setting of the experiment. */
  public static final String CLOSED = "closed";

  /** A closed loop with a number of clients. */
  public static final Setting CLIENTS =
      Setting.text(
          "clients",
          null,
          "[1-9][0-9]{0,3} clients?",
          "16 clients",
          "of a closed loop, each sending its next request after the answer");

  /** Creates a load without clients of a closed loop. */
  public Load(String label, double fraction, double requestsPerSecond) {
    this(label, fraction, requestsPerSecond, 0);
  }

  /** Reads a load as written, checked by its setting. */
  public static Load of(String label) {
    if (Units.perSecond(label).isPresent()) {
      return new Load(label, Double.NaN, Units.perSecond(label).getAsDouble());
    }
    if (Units.fraction(label).isPresent()) {
      return new Load(label, Units.fraction(label).getAsDouble(), Double.NaN);
    }
    int clients = label.equals(CLOSED) ? 0 : Integer.parseInt(label.split(" ")[0]);
    return new Load(label, Double.NaN, Double.NaN, clients);
  }

  /** Whether a request is sent only when another has ended. */
  public boolean isClosed() {
    return isClosed(label);
  }

  /** Whether the label of a load is that of a closed loop, whose rate is measured and not set. */
  public static boolean isClosed(String label) {
    return label.equals(CLOSED) || label.matches(CLIENTS.words().get(0));
  }

  /**
   * Whether a load is a closed loop: one of clients that send at once, by its label, or one of a
   * simulation with a think time, by its metrics.
   *
   * @param metrics names of the metrics at this load
   */
  public static boolean isClosed(String label, Stream<String> metrics) {
    return isClosed(label) || metrics.anyMatch(Outcome.CLIENTS::equals);
  }
}
