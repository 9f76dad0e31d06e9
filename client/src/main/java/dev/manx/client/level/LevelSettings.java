/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.level;

import dev.manx.client.config.Durations;
import dev.manx.client.invalidation.ChannelKind;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import java.time.Duration;
import java.util.List;

/**
 * Settings of a second level of any kind.
 *
 * @param application a name that all its servers share and no other application uses there:
 *     letters, digits, {@code . _ -}
 * @param timeToLive maximum lifetime of a value, 1 s to 30 days
 * @param timeout of a look-up, a fill or an invalidation; a slower look-up is a miss
 * @param maxOutstanding maximum number of operations in progress, 1 to 65,536; more are rejected at
 *     once
 * @param largestValueBytes larger values are not stored, 1 KiB to 256 MiB
 */
public record LevelSettings(
    String application,
    Duration timeToLive,
    Duration timeout,
    int maxOutstanding,
    long largestValueBytes) {
  static final Setting TIME_TO_LIVE =
      Setting.duration("time-to-live", "1h", "1s", "720h", "maximum lifetime of a value");
  static final Setting TIMEOUT =
      Setting.duration(
          "timeout", "50ms", "1ms", "1h", "time-out of an operation; a slower look-up is a miss");
  static final Setting MAX_OUTSTANDING =
      Setting.whole(
          "max-outstanding", 1024, 1, 65_536, "operations in progress; further ones fail at once");
  static final Setting LARGEST_VALUE =
      Setting.size(
          "largest-value", "1MiB", "1KiB", "256MiB", "larger values are kept in the heap only");

  /** The settings that have a default. */
  public static final List<Setting> SETTINGS =
      List.of(TIME_TO_LIVE, TIMEOUT, MAX_OUTSTANDING, LARGEST_VALUE);

  /** Checks the ranges. */
  public LevelSettings {
    ChannelKind.APPLICATION.check(application);
    Durations.check(TIME_TO_LIVE, timeToLive);
    Durations.check(TIMEOUT, timeout);
    MAX_OUTSTANDING.check((long) maxOutstanding);
    LARGEST_VALUE.check(largestValueBytes);
  }

  /** Creates settings: an hour, 50 ms, 1,024 concurrent operations, and values up to 1 MiB. */
  public static LevelSettings of(String application) {
    return new LevelSettings(
        application,
        Durations.standard(TIME_TO_LIVE),
        Durations.standard(TIMEOUT),
        Math.toIntExact((Long) MAX_OUTSTANDING.standard()),
        (Long) LARGEST_VALUE.standard());
  }

  /** Returns a copy with another time to live. */
  public LevelSettings withTimeToLive(Duration value) {
    return new LevelSettings(application, value, timeout, maxOutstanding, largestValueBytes);
  }

  /** Returns a copy with another time-out of operations. */
  public LevelSettings withTimeout(Duration value) {
    return new LevelSettings(application, timeToLive, value, maxOutstanding, largestValueBytes);
  }

  /** Returns a copy with another maximum size of values. */
  public LevelSettings withLargestValueBytes(long value) {
    return new LevelSettings(application, timeToLive, timeout, maxOutstanding, value);
  }

  /**
   * Reads the settings from the mapping {@code second-level}.
   *
   * @throws dev.manx.policy.config.ConfigException if a setting is invalid
   */
  public static LevelSettings read(ConfigNode node) {
    ConfigNode application = node.at(ChannelKind.APPLICATION.name());
    LevelSettings like = of((String) ChannelKind.APPLICATION.read(application));
    return new LevelSettings(
        like.application,
        Durations.readOr(TIME_TO_LIVE, node, like.timeToLive),
        Durations.readOr(TIMEOUT, node, like.timeout),
        Math.toIntExact((Long) MAX_OUTSTANDING.readOr(node, (long) like.maxOutstanding)),
        (Long) LARGEST_VALUE.readOr(node, like.largestValueBytes));
  }
}
