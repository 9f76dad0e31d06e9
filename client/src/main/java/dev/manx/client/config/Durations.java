/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.config;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import java.time.Duration;
import java.util.Objects;

/** Converts duration settings to {@link Duration}. */
public final class Durations {
  private Durations() {}

  /** The default. */
  public static Duration standard(Setting setting) {
    return Duration.ofNanos((Long) setting.standard());
  }

  /** The value in a mapping, or {@code otherwise} if the mapping lacks it. */
  public static Duration readOr(Setting setting, ConfigNode mapping, Duration otherwise) {
    return Duration.ofNanos((Long) setting.readOr(mapping, otherwise.toNanos()));
  }

  /**
   * Checks a value against the setting's range.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public static void check(Setting setting, Duration value) {
    Objects.requireNonNull(value, setting.name());
    // toNanos() overflows beyond 292 years; no setting is that long.
    long most = Long.MAX_VALUE / 1_000_000_000L - 1;
    boolean counts = Math.abs(value.getSeconds()) <= most;
    setting.check(counts ? value.toNanos() : Long.MAX_VALUE);
  }
}
