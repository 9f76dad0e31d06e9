/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.policy.config.ConfigNode;
import java.time.Duration;
import java.util.Objects;

/**
 * For how long the values of a backend are true. Zero switches each part off.
 *
 * @param timeToLive after it an entry is a miss, at most 30 days
 * @param refreshAfter after it an entry that is asked for is answered, and read again behind the
 *     caller's back; less than {@code timeToLive} if that is set
 * @param jitter by how much of itself an entry's own times are shorter, drawn at random, so that
 *     what was loaded together does not expire together; 0 to 0.9
 * @param idleTime an entry that was not asked for so long is a miss; only with a store in this
 *     process
 * @param staleIfError for how long after {@code timeToLive} an entry is answered if the backend
 *     fails, times out, or its breaker is open
 */
public record Freshness(
    Duration timeToLive,
    Duration refreshAfter,
    double jitter,
    Duration idleTime,
    Duration staleIfError) {
  private static final Duration LONGEST = Duration.ofDays(30);
  private static final double MOST_JITTER = 0.9;

  /** Entries are true until they are evicted or invalidated. */
  public static final Freshness FOREVER =
      new Freshness(Duration.ZERO, Duration.ZERO, 0, Duration.ZERO, Duration.ZERO);

  /** Refuses values out of range and contradictions. */
  public Freshness {
    check("time-to-live", timeToLive);
    check("refresh-after", refreshAfter);
    check("idle-time", idleTime);
    check("stale-if-error", staleIfError);
    if (!(jitter >= 0 && jitter <= MOST_JITTER)) {
      throw new IllegalArgumentException("jitter " + jitter + "; allowed: 0 to 0.9");
    }
    if (!timeToLive.isZero() && refreshAfter.compareTo(timeToLive) >= 0) {
      throw new IllegalArgumentException(
          "refresh-after " + refreshAfter + "; allowed: less than time-to-live " + timeToLive);
    }
  }

  private static void check(String name, Duration value) {
    Objects.requireNonNull(value, name);
    if (value.isNegative() || value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(name + " " + value + "; allowed: 0 to 30 days");
    }
  }

  /** A hard time to live. */
  public static Freshness timeToLive(Duration value) {
    return FOREVER.withTimeToLive(value);
  }

  /** With another hard time to live. */
  public Freshness withTimeToLive(Duration value) {
    return new Freshness(value, refreshAfter, jitter, idleTime, staleIfError);
  }

  /** With a soft time to live: entries older than it are refreshed when they are asked for. */
  public Freshness withRefreshAfter(Duration value) {
    return new Freshness(timeToLive, value, jitter, idleTime, staleIfError);
  }

  /** With jitter, 0 to 0.9. */
  public Freshness withJitter(double part) {
    return new Freshness(timeToLive, refreshAfter, part, idleTime, staleIfError);
  }

  /** With expiry after access. */
  public Freshness withIdleTime(Duration value) {
    return new Freshness(timeToLive, refreshAfter, jitter, value, staleIfError);
  }

  /** With old values while the backend fails. */
  public Freshness withStaleIfError(Duration value) {
    return new Freshness(timeToLive, refreshAfter, jitter, idleTime, value);
  }

  /** Reads a backend's mapping; the other keys of it are not looked at. */
  Freshness read(ConfigNode node) {
    double part = node.find("jitter").map(n -> n.fraction(0, MOST_JITTER)).orElse(jitter);
    Duration live = duration(node, "time-to-live", timeToLive);
    Duration refresh = duration(node, "refresh-after", refreshAfter);
    if (!live.isZero() && refresh.compareTo(live) >= 0) {
      throw node.find("refresh-after").orElse(node).refuse("less than time-to-live");
    }
    return new Freshness(
        live,
        refresh,
        part,
        duration(node, "idle-time", idleTime),
        duration(node, "stale-if-error", staleIfError));
  }

  private static Duration duration(ConfigNode node, String key, Duration standard) {
    return node.find(key)
        .map(n -> Duration.ofNanos(n.durationNanos(0, LONGEST.toNanos())))
        .orElse(standard);
  }
}
