/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import java.time.Duration;
import java.util.Objects;

/** Settings that are durations, as Java has them. */
final class Durations {
  private Durations() {}

  /** The default. */
  static Duration standard(Setting setting) {
    return Duration.ofNanos((Long) setting.standard());
  }

  /** The value in a mapping, or another if the mapping lacks it. */
  static Duration readOr(Setting setting, ConfigNode mapping, Duration otherwise) {
    return Duration.ofNanos((Long) setting.readOr(mapping, otherwise.toNanos()));
  }

  /**
   * Holds a value to the setting's range.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  static void check(Setting setting, Duration value) {
    Objects.requireNonNull(value, setting.name());
    // toNanos() would overflow after 292 years; no setting is so long.
    long most = Long.MAX_VALUE / 1_000_000_000L - 1;
    boolean counts = Math.abs(value.getSeconds()) <= most;
    setting.check(counts ? value.toNanos() : Long.MAX_VALUE);
  }
}
