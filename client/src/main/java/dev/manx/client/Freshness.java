/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import java.time.Duration;
import java.util.List;

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
 *     fails, times out, or its breaker is open; a backend without that and without an {@link
 *     Expiry} is refused
 */
public record Freshness(
    Duration timeToLive,
    Duration refreshAfter,
    double jitter,
    Duration idleTime,
    Duration staleIfError) {
  static final Setting TIME_TO_LIVE =
      duration("time-to-live", "an older entry is a miss; 0: entries do not expire");
  static final Setting REFRESH_AFTER =
      duration(
          "refresh-after",
          "an older entry is still answered, and is read again in the background; 0: never");
  static final Setting JITTER =
      Setting.share("jitter", 0, 0, 0.9, "part by which an entry's times are shortened, at random");
  static final Setting IDLE_TIME =
      duration(
          "idle-time",
          "an entry that was not used for this long is a miss; 0: never; only with a"
              + " store in this process");
  static final Setting STALE_IF_ERROR =
      duration(
          "stale-if-error",
          "how long after its time to live an entry is answered if the backend fails");

  static final List<Setting> SETTINGS =
      List.of(TIME_TO_LIVE, REFRESH_AFTER, JITTER, IDLE_TIME, STALE_IF_ERROR);

  /** Entries are true until they are evicted or invalidated. */
  public static final Freshness FOREVER =
      new Freshness(Duration.ZERO, Duration.ZERO, 0, Duration.ZERO, Duration.ZERO);

  /** Refuses values out of range and contradictions. */
  public Freshness {
    Durations.check(TIME_TO_LIVE, timeToLive);
    Durations.check(REFRESH_AFTER, refreshAfter);
    JITTER.check(jitter);
    Durations.check(IDLE_TIME, idleTime);
    Durations.check(STALE_IF_ERROR, staleIfError);
    if (!timeToLive.isZero() && refreshAfter.compareTo(timeToLive) >= 0) {
      throw new IllegalArgumentException(
          "refresh-after " + refreshAfter + "; allowed: less than time-to-live " + timeToLive);
    }
  }

  /** Whether old values are wanted, and no value gets old by these settings. */
  boolean hasStaleInVain() {
    return timeToLive.isZero() && !staleIfError.isZero();
  }

  /** Whether old values are wanted for longer than a store keeps them; zero: it keeps all. */
  boolean hasStaleLongerThan(Duration kept) {
    return !kept.isZero()
        && !staleIfError.isZero()
        && timeToLive.plus(staleIfError).compareTo(kept) > 0;
  }

  private static Setting duration(String name, String meaning) {
    return Setting.duration(name, "0", "0", "720h", meaning);
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
    Duration live = Durations.readOr(TIME_TO_LIVE, node, timeToLive);
    Duration refresh = Durations.readOr(REFRESH_AFTER, node, refreshAfter);
    if (!live.isZero() && refresh.compareTo(live) >= 0) {
      throw node.find(REFRESH_AFTER.name()).orElse(node).refuse("less than time-to-live");
    }
    return new Freshness(
        live,
        refresh,
        (Double) JITTER.readOr(node, jitter),
        Durations.readOr(IDLE_TIME, node, idleTime),
        Durations.readOr(STALE_IF_ERROR, node, staleIfError));
  }
}
