/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import java.util.Map;

/**
 * The findings of a policy that watches itself or another one.
 *
 * @param resting whether it moves the shares to those of a shared cache, because its own cost more
 * @param rests number of times it began to rest
 * @param loss estimated request time with the shares of the last decision relative to that with the
 *     shares of a shared cache, less 1; negative if they save time; NaN if unknown
 * @param wanted bytes by backend that it would assign if it were not in shadow mode; empty if it is
 *     not
 */
public record PolicyReport(boolean resting, long rests, double loss, Map<String, Long> wanted) {
  /** The report of a policy that does not watch. */
  public static final PolicyReport NONE = new PolicyReport(false, 0, Double.NaN, Map.of());

  /** Freezes the map. */
  public PolicyReport {
    wanted = Map.copyOf(wanted);
  }
}
