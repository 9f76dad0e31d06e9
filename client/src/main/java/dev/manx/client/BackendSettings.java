/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.policy.config.ConfigNode;
import java.time.Duration;
import java.util.Objects;

/**
 * How the cache treats one backend.
 *
 * @param timeOut after this a load counts as failed, 1 ms to 1 h; a later answer still fills the
 *     cache
 * @param maxPending queries that may wait for the backend at once, 1 to 1,000,000; more are refused
 * @param rememberAbsent how long a key that does not exist is answered without asking again; zero:
 *     always ask
 * @param absentEntries how many such keys are remembered, 1 to 10,000,000; the rest is forgotten
 * @param floorBytes its share does not fall below, if that is more than the policy's own floor; for
 *     a backend that others also use, whose load must not rise at their cost
 * @param freshness for how long its values are true
 * @param breaker when it counts as broken
 */
public record BackendSettings(
    Duration timeOut,
    int maxPending,
    Duration rememberAbsent,
    int absentEntries,
    long floorBytes,
    Freshness freshness,
    BreakerSettings breaker) {
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofHours(1);
  private static final long MOST_BYTES = 1L << 50;

  /** What holds unless told otherwise. */
  public static final BackendSettings DEFAULTS =
      new BackendSettings(Duration.ofSeconds(2), 10_000, Duration.ZERO, 10_000, 0);

  /** Values that are true for ever, and no breaker. */
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

  /** Refuses values out of range. */
  public BackendSettings {
    Objects.requireNonNull(rememberAbsent, "rememberAbsent");
    Objects.requireNonNull(freshness, "freshness");
    Objects.requireNonNull(breaker, "breaker");
    if (timeOut.compareTo(SHORTEST) < 0 || timeOut.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("time-out " + timeOut + "; allowed: 1 ms to 1 h");
    }
    if (maxPending < 1 || maxPending > 1_000_000) {
      throw new IllegalArgumentException("max-pending " + maxPending + "; allowed: 1 to 1000000");
    }
    if (rememberAbsent.isNegative() || rememberAbsent.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllegalArgumentException(
          "remember-absent " + rememberAbsent + "; allowed: 0 to 24 h");
    }
    if (absentEntries < 1 || absentEntries > 10_000_000) {
      throw new IllegalArgumentException(
          "absent-entries " + absentEntries + "; allowed: 1 to 10000000");
    }
    if (floorBytes < 0 || floorBytes > MOST_BYTES) {
      throw new IllegalArgumentException("floor " + floorBytes + "; allowed: 0 to 1 PiB");
    }
  }

  /** With another time-out. */
  public BackendSettings withTimeOut(Duration value) {
    return new BackendSettings(
        value, maxPending, rememberAbsent, absentEntries, floorBytes, freshness, breaker);
  }

  /** With another bound of waiting queries. */
  public BackendSettings withMaxPending(int value) {
    return new BackendSettings(
        timeOut, value, rememberAbsent, absentEntries, floorBytes, freshness, breaker);
  }

  /** With negative caching: absent keys are remembered for a while. */
  public BackendSettings withRememberAbsent(Duration value) {
    return new BackendSettings(
        timeOut, maxPending, value, absentEntries, floorBytes, freshness, breaker);
  }

  /** With a floor of its own. */
  public BackendSettings withFloor(long bytes) {
    return new BackendSettings(
        timeOut, maxPending, rememberAbsent, absentEntries, bytes, freshness, breaker);
  }

  /** With times to live. */
  public BackendSettings withFreshness(Freshness value) {
    return new BackendSettings(
        timeOut, maxPending, rememberAbsent, absentEntries, floorBytes, value, breaker);
  }

  /** With a circuit breaker. */
  public BackendSettings withBreaker(BreakerSettings value) {
    return new BackendSettings(
        timeOut, maxPending, rememberAbsent, absentEntries, floorBytes, freshness, value);
  }

  /** Reads a mapping; what it lacks stays as it is here. */
  BackendSettings read(ConfigNode node) {
    BackendSettings settings =
        new BackendSettings(
            duration(node, "time-out", SHORTEST, LONGEST, timeOut),
            (int) whole(node, "max-pending", 1_000_000, maxPending),
            duration(node, "remember-absent", Duration.ZERO, Duration.ofDays(1), rememberAbsent),
            (int) whole(node, "absent-entries", 10_000_000, absentEntries),
            node.find("floor").map(n -> n.bytes(0, MOST_BYTES)).orElse(floorBytes),
            freshness.read(node),
            node.find("breaker").map(breaker::read).orElse(breaker));
    node.noOtherKeys();
    return settings;
  }

  private static long whole(ConfigNode node, String key, long most, long standard) {
    return node.find(key).map(n -> n.integer(1, most)).orElse(standard);
  }

  private static Duration duration(
      ConfigNode node, String key, Duration least, Duration most, Duration standard) {
    return node.find(key)
        .map(n -> Duration.ofNanos(n.durationNanos(least.toNanos(), most.toNanos())))
        .orElse(standard);
  }
}
