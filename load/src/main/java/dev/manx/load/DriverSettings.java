/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import dev.manx.load.CassandraSettings.Coordinators;
import java.util.Locale;

/**
 * How the driver deals with slow nodes, request by request.
 *
 * @param coordinators which node coordinates a request
 * @param slowAvoidance whether the driver's default policy avoids replicas that answer slowly, as
 *     it does unless told otherwise
 * @param speculativeNanos after how long the driver sends a request to a second coordinator as well
 *     ({@code ConstantSpeculativeExecutionPolicy}, two executions); 0 for never
 */
public record DriverSettings(
    Coordinators coordinators, boolean slowAvoidance, long speculativeNanos) {
  /**
   * Checks that they can be had together.
   *
   * @throws IllegalArgumentException if the node is chosen before the driver could choose
   */
  public DriverSettings {
    if (coordinators == Coordinators.ROUND_ROBIN && (slowAvoidance || speculativeNanos > 0)) {
      throw new IllegalArgumentException(
          "round-robin chooses the node; the driver can neither avoid it nor try a second one");
    }
  }

  /** The driver hides and repeats nothing. */
  static DriverSettings plain(Coordinators coordinators) {
    return new DriverSettings(coordinators, false, 0);
  }

  /** Whether the session's own profiles do. */
  boolean isPlain() {
    return !slowAvoidance && speculativeNanos == 0;
  }

  /** The driver's execution profile with these settings. */
  String profile(Paging paging) {
    return isPlain()
        ? paging.profile()
        : paging.profile()
            + (slowAvoidance ? "-avoiding" : "")
            + (speculativeNanos > 0 ? "-after-" + speculativeNanos : "");
  }

  /** For people. */
  public String words() {
    return String.format(
        Locale.ROOT,
        "%s, slow replica avoidance %s, speculative execution %s",
        switch (coordinators) {
          case DRIVER_DEFAULT -> "default policy, token-aware for single reads";
          case ROUND_ROBIN -> "round robin, fixed by the request's number";
        },
        slowAvoidance ? "on" : "off",
        speculativeNanos > 0 ? "after " + speculativeNanos / 1e6 + " ms" : "off");
  }
}
