/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.policy.config.ConfigNode;
import java.time.Duration;

/**
 * When a backend counts as broken, so that its loads fail at once.
 *
 * @param loads that are looked back on, 1 to 1,000; it never opens before so many
 * @param failures share of them that failed or timed out at which it opens, more than 0 to 1
 * @param openFor how long it stays open before one load is let through to try; zero: no breaker; at
 *     most 1 h
 */
public record BreakerSettings(int loads, double failures, Duration openFor) {
  private static final int MOST_LOADS = 1_000;
  private static final double LEAST_SHARE = 0.001;
  private static final Duration LONGEST = Duration.ofHours(1);

  /** No breaker; switched on by {@code openFor}, it looks at 20 loads and opens at half. */
  public static final BreakerSettings OFF = new BreakerSettings(20, 0.5, Duration.ZERO);

  /** Refuses values out of range. */
  public BreakerSettings {
    if (loads < 1 || loads > MOST_LOADS) {
      throw new IllegalArgumentException("breaker: loads " + loads + "; allowed: 1 to 1000");
    }
    if (!(failures >= LEAST_SHARE && failures <= 1)) {
      throw new IllegalArgumentException("breaker: failures " + failures + "; allowed: 0.001 to 1");
    }
    if (openFor.isNegative() || openFor.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("breaker: open-for " + openFor + "; allowed: 0 to 1 h");
    }
  }

  /** With another time that it stays open. */
  public BreakerSettings withOpenFor(Duration value) {
    return new BreakerSettings(loads, failures, value);
  }

  /** Reads a mapping; what it lacks stays as it is here. */
  BreakerSettings read(ConfigNode node) {
    BreakerSettings settings =
        new BreakerSettings(
            node.find("loads").map(n -> (int) n.integer(1, MOST_LOADS)).orElse(loads),
            node.find("failures").map(n -> n.fraction(LEAST_SHARE, 1)).orElse(failures),
            node.find("open-for")
                .map(n -> Duration.ofNanos(n.durationNanos(0, LONGEST.toNanos())))
                .orElse(openFor));
    node.noOtherKeys();
    return settings;
  }
}
