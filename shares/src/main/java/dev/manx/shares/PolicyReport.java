/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import java.util.Map;

/**
 * The findings of a policy that watches itself or another one.
 *
 * @param resting whether it leads the shares to those of a shared cache, because its own lost
 * @param rests times it began to
 * @param loss estimated request time under the shares of now over that under the shares of a shared
 *     cache, less 1; negative if they spare time; NaN if not known
 * @param wanted bytes by backend that it would give if it were allowed to; empty if it is
 */
public record PolicyReport(boolean resting, long rests, double loss, Map<String, Long> wanted) {
  /** Of a policy that does not watch. */
  public static final PolicyReport NONE = new PolicyReport(false, 0, Double.NaN, Map.of());

  /** Freezes the map. */
  public PolicyReport {
    wanted = Map.copyOf(wanted);
  }
}
