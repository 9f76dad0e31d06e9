/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload;

import java.util.OptionalDouble;

/**
 * Requests that have the same number of keys.
 *
 * @param name its name in the experiment
 * @param share the fraction of requests, in (0, 1]
 * @param reads keys of each request, at least 1
 * @param large the probability that a key has a large value, in [0, 1]; empty: keys by popularity
 *     alone
 */
public record RequestShape(String name, double share, int reads, OptionalDouble large) {
  /** Checks the ranges. */
  public RequestShape {
    SettingCheck.that(
        share > 0 && share <= 1, "a share of requests must be in (0, 1], but is %s", share);
    SettingCheck.that(reads >= 1, "a request must have at least 1 read, but has %d", reads);
    large.ifPresent(
        part ->
            SettingCheck.that(
                part >= 0 && part <= 1,
                "the share of large values must be in [0, 1], but is %s",
                part));
  }

  boolean hasOwnSizes() {
    return large.isPresent();
  }

  /** Whether a request of this kind may read values of one size: large or small ones. */
  boolean mayRead(boolean largeValues) {
    return large.isEmpty() || (largeValues ? large.getAsDouble() > 0 : large.getAsDouble() < 1);
  }
}
