/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Values;
import java.util.List;

/**
 * The settings of every share controller other than its policy.
 *
 * @param intervalNanos between two decisions
 * @param windowNanos least span of the statistics for a decision
 * @param staleNanos age of the statistics above which shares are frozen
 * @param floorBytes smallest share
 * @param pageBytes unit of changes to shares
 */
public record ControllerSettings(
    long intervalNanos, long windowNanos, long staleNanos, long floorBytes, long pageBytes) {
  /** The settings, common to all policies. */
  static final List<Setting> SETTINGS =
      List.of(
          Setting.duration("interval", "5s", "10ms", "1h", "time between two decisions"),
          Setting.duration(
              "window", "5s", "1ns", "1h", "length of the statistics that a decision uses"),
          Setting.duration(
              "stale-after", "30s", "1ns", "1h", "statistics older than this freeze the shares"),
          Setting.size("floor", "30MiB", "0", "1PiB", "smallest share"),
          Setting.size("page", "1MiB", "1B", "1TiB", "shares change by multiples of this"),
          Setting.text(
              "groups",
              "none",
              "none|[^+,\\s]+(\\+[^+,\\s]+)+(,[^+,\\s]+(\\+[^+,\\s]+)+)*",
              "none, or a+b,c+d",
              "backends that share a bottleneck"));

  /** The values of those settings. */
  public static ControllerSettings of(Values settings) {
    return new ControllerSettings(
        settings.number("interval"),
        settings.number("window"),
        settings.number("stale-after"),
        settings.number("floor"),
        settings.number("page"));
  }

  /** Windows of statistics that are kept, one for each interval. */
  public static final int MOST_WINDOWS = 64;

  private static final long SECOND = 1_000_000_000L;
  private static final long MIB = 1L << 20;

  /** Checks the ranges. */
  public ControllerSettings {
    if (intervalNanos < 1 || windowNanos < 1 || staleNanos < 1 || floorBytes < 0 || pageBytes < 1) {
      throw new IllegalArgumentException(
          "interval, window, stale-after and page are positive, the floor is not negative");
    }
  }

  /**
   * Longest time between two decisions for which a policy takes the last statistics to have lasted.
   * The process may have been stopped in between.
   */
  public long longestNanos() {
    return Math.max(intervalNanos, staleNanos);
  }

  /** RobinHood's: every 5 s, 30 MiB at least, pages of 1 MiB; frozen after 30 s of silence. */
  public static ControllerSettings standard() {
    return new ControllerSettings(5 * SECOND, 5 * SECOND, 30 * SECOND, 30 * MIB, MIB);
  }

  /**
   * Returns these settings with all times and the floor multiplied, for runs in compressed time.
   */
  public ControllerSettings scaled(double times) {
    return new ControllerSettings(
        Math.max(1, Math.round(intervalNanos * times)),
        Math.max(1, Math.round(windowNanos * times)),
        Math.max(1, Math.round(staleNanos * times)),
        Math.round(floorBytes * times),
        Math.max(1, Math.round(pageBytes * times)));
  }
}
