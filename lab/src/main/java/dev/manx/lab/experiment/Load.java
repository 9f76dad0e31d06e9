/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.policy.config.Units;

/**
 * The load on the cluster.
 *
 * @param label as written: {@code 70%}, {@code 120/s}, {@code 16 clients}
 * @param fraction of the modelled capacity, or NaN
 * @param requestsPerSecond absolute rate, or NaN
 * @param clients constant number of requests in flight in a closed loop; 0 for an open loop
 */
public record Load(String label, double fraction, double requestsPerSecond, int clients) {
  /** An open loop. */
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
    return new Load(label, Double.NaN, Double.NaN, Integer.parseInt(label.split(" ")[0]));
  }

  /** Whether a request is sent only when another has ended. */
  public boolean isClosed() {
    return clients > 0;
  }
}
