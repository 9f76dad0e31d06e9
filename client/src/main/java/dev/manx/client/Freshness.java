/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.config.Durations;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import java.time.Duration;
import java.util.List;

/**
 * How long the values of a backend are valid. Zero disables a setting.
 *
 * @param timeToLive an older entry is a miss; at most 30 days
 * @param refreshAfter an older entry is still answered, and is refreshed in the background; less
 *     than {@code timeToLive} if that is set
 * @param jitter fraction by which an entry's times are shortened, at random, so that entries loaded
 *     together do not expire together; 0 to 0.9
 * @param idleTime an entry unused for this long is a miss; only with a store in this process
 * @param staleIfError how long after {@code timeToLive} an entry is still answered if the backend
 *     fails, times out, or its breaker is open; rejected for a backend without {@code timeToLive}
 *     and without an {@link Expiry}
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

  /** Entries are valid until they are evicted or invalidated. */
  public static final Freshness FOREVER =
      new Freshness(Duration.ZERO, Duration.ZERO, 0, Duration.ZERO, Duration.ZERO);

  /** Rejects values out of range and contradictions. */
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

  /** Whether stale answers are enabled although no value expires by these settings. */
  boolean hasStaleInVain() {
    return timeToLive.isZero() && !staleIfError.isZero();
  }

  /**
   * Whether stale answers are enabled for longer than a store keeps entries.
   *
   * @param kept zero: until eviction
   */
  boolean hasStaleLongerThan(Duration kept) {
    return !kept.isZero()
        && !staleIfError.isZero()
        && timeToLive.plus(staleIfError).compareTo(kept) > 0;
  }

  /**
   * The time after which an entry with its own time to live is refreshed: the same fraction of its
   * life.
   *
   * @param liveNanos its time to live; 0: forever
   */
  long refreshNanos(long liveNanos) {
    long standard = refreshAfter.toNanos();
    return timeToLive.isZero()
        ? standard
        : (long) (standard * (liveNanos / (double) timeToLive.toNanos()));
  }

  private static Setting duration(String name, String meaning) {
    return Setting.duration(name, "0", "0", "720h", meaning);
  }

  /** Creates settings with a hard time to live. */
  public static Freshness timeToLive(Duration value) {
    return FOREVER.withTimeToLive(value);
  }

  /** Returns a copy with another hard time to live. */
  public Freshness withTimeToLive(Duration value) {
    return new Freshness(value, refreshAfter, jitter, idleTime, staleIfError);
  }

  /** Returns a copy with a soft time to live: older entries are refreshed when they are used. */
  public Freshness withRefreshAfter(Duration value) {
    return new Freshness(timeToLive, value, jitter, idleTime, staleIfError);
  }

  /** Returns a copy with jitter, 0 to 0.9. */
  public Freshness withJitter(double part) {
    return new Freshness(timeToLive, refreshAfter, part, idleTime, staleIfError);
  }

  /** Returns a copy with expiry after access. */
  public Freshness withIdleTime(Duration value) {
    return new Freshness(timeToLive, refreshAfter, jitter, value, staleIfError);
  }

  /** Returns a copy with stale answers while the backend fails. */
  public Freshness withStaleIfError(Duration value) {
    return new Freshness(timeToLive, refreshAfter, jitter, idleTime, value);
  }

  /** Reads a backend's mapping; ignores its other keys. */
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
