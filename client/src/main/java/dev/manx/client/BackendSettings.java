/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.config.Durations;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The settings of one backend.
 *
 * @param timeOut after this time a load counts as failed, 1 ms to 1 h; a later answer still fills
 *     the cache
 * @param maxPending maximum number of queries that wait for the backend, 1 to 1,000,000; more are
 *     rejected
 * @param rememberAbsent how long a missing key is answered without asking the backend again; zero:
 *     not at all
 * @param absentEntries maximum number of remembered absent keys, 1 to 10,000,000; beyond it some
 *     are forgotten
 * @param floorBytes smallest share, if more than the policy's own floor; for a backend shared with
 *     other applications, which must not pay for a smaller cache here
 * @param freshness how long its values are valid
 * @param breaker when its loads fail at once
 */
public record BackendSettings(
    Duration timeOut,
    int maxPending,
    Duration rememberAbsent,
    int absentEntries,
    long floorBytes,
    Freshness freshness,
    BreakerSettings breaker) {
  static final Setting TIME_OUT =
      Setting.duration("time-out", "2s", "1ms", "1h", "a load fails after this time");
  static final Setting MAX_PENDING =
      Setting.whole(
          "max-pending",
          10_000,
          1,
          1_000_000,
          "queries that may wait for the backend at once; further ones fail with"
              + " `OverloadException`");
  static final Setting REMEMBER_ABSENT =
      Setting.duration(
          "remember-absent",
          "0",
          "0",
          "24h",
          "how long a missing key is answered without asking the backend (negative caching)");
  static final Setting ABSENT_ENTRIES =
      Setting.whole("absent-entries", 10_000, 1, 10_000_000, "how many such keys are remembered");
  static final Setting FLOOR =
      Setting.size(
          "floor",
          "0",
          "0",
          "1PiB",
          "smallest share, if that is more than the policy's floor; for a backend that"
              + " other applications use too");

  /** All settings of a backend except those of its breaker. */
  static List<Setting> all() {
    List<Setting> own = List.of(TIME_OUT, MAX_PENDING, REMEMBER_ABSENT, ABSENT_ENTRIES, FLOOR);
    return Stream.concat(own.stream(), Freshness.SETTINGS.stream()).toList();
  }

  /** The defaults. */
  public static final BackendSettings DEFAULTS =
      new BackendSettings(
          Durations.standard(TIME_OUT),
          Math.toIntExact((Long) MAX_PENDING.standard()),
          Durations.standard(REMEMBER_ABSENT),
          Math.toIntExact((Long) ABSENT_ENTRIES.standard()),
          (Long) FLOOR.standard());

  /** Creates settings with values that never expire and without a breaker. */
  public BackendSettings(
      Duration timeOut,
      int maxPending,
      Duration rememberAbsent,
      int absentEntries,
      long floorBytes) {
    this(
        timeOut,
        maxPending,
        rememberAbsent,
        absentEntries,
        floorBytes,
        Freshness.FOREVER,
        BreakerSettings.OFF);
  }

  /** Rejects values out of range. */
  public BackendSettings {
    Objects.requireNonNull(freshness, "freshness");
    Objects.requireNonNull(breaker, "breaker");
    Durations.check(TIME_OUT, timeOut);
    MAX_PENDING.check((long) maxPending);
    Durations.check(REMEMBER_ABSENT, rememberAbsent);
    ABSENT_ENTRIES.check((long) absentEntries);
    FLOOR.check(floorBytes);
  }

  /** Returns a copy with another time-out. */
  public BackendSettings withTimeOut(Duration value) {
    return new BackendSettings(
        value, maxPending, rememberAbsent, absentEntries, floorBytes, freshness, breaker);
  }

  /** Returns a copy with another limit of waiting queries. */
  public BackendSettings withMaxPending(int value) {
    return new BackendSettings(
        timeOut, value, rememberAbsent, absentEntries, floorBytes, freshness, breaker);
  }

  /** Returns a copy with negative caching: absent keys are remembered for this time. */
  public BackendSettings withRememberAbsent(Duration value) {
    return new BackendSettings(
        timeOut, maxPending, value, absentEntries, floorBytes, freshness, breaker);
  }

  /** Returns a copy with another limit of remembered absent keys. */
  public BackendSettings withAbsentEntries(int value) {
    return new BackendSettings(
        timeOut, maxPending, rememberAbsent, value, floorBytes, freshness, breaker);
  }

  /** Returns a copy with its own floor. */
  public BackendSettings withFloor(long bytes) {
    return new BackendSettings(
        timeOut, maxPending, rememberAbsent, absentEntries, bytes, freshness, breaker);
  }

  /** Returns a copy with times to live. */
  public BackendSettings withFreshness(Freshness value) {
    return new BackendSettings(
        timeOut, maxPending, rememberAbsent, absentEntries, floorBytes, value, breaker);
  }

  /** Returns a copy with a circuit breaker. */
  public BackendSettings withBreaker(BreakerSettings value) {
    return new BackendSettings(
        timeOut, maxPending, rememberAbsent, absentEntries, floorBytes, freshness, value);
  }

  /** Reads a mapping; missing keys keep their values from this object. */
  BackendSettings read(ConfigNode node) {
    BackendSettings settings =
        new BackendSettings(
            Durations.readOr(TIME_OUT, node, timeOut),
            Math.toIntExact((Long) MAX_PENDING.readOr(node, (long) maxPending)),
            Durations.readOr(REMEMBER_ABSENT, node, rememberAbsent),
            Math.toIntExact((Long) ABSENT_ENTRIES.readOr(node, (long) absentEntries)),
            (Long) FLOOR.readOr(node, floorBytes),
            freshness.read(node),
            node.find("breaker").map(breaker::read).orElse(breaker));
    node.noOtherKeys();
    return settings;
  }
}
