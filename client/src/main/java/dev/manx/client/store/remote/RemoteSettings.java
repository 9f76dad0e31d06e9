/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import dev.manx.client.config.Durations;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Units;
import java.time.Duration;
import java.util.List;

/**
 * Limits of a remote store.
 *
 * @param timeout of a look-up, a put or an invalidation; a slower look-up is a miss
 * @param resizeTimeout how long one resize may run before it reports its progress
 * @param pollInterval between polls of the instance's memory while it is reachable
 * @param retryAfter first interval before an unreachable instance is retried; it then doubles
 * @param retryAtMost longest such interval
 * @param maxOutstanding maximum number of operations in progress; more are rejected at once
 */
public record RemoteSettings(
    Duration timeout,
    Duration resizeTimeout,
    Duration pollInterval,
    Duration retryAfter,
    Duration retryAtMost,
    int maxOutstanding) {
  /** Time-out of an operation. */
  public static final Setting TIMEOUT =
      duration("timeout", "200ms", "time-out of an operation; a slower look-up is a miss");

  private static final Setting RESIZE_TIMEOUT =
      duration(
          "resize-timeout",
          "2s",
          "how long one change of a share's size may take; the rest follows at the next decision");
  private static final Setting POLL_INTERVAL =
      duration("poll-interval", "1s", "how often the instance's memory use is polled");
  private static final Setting RETRY_AFTER =
      duration(
          "retry-after",
          "100ms",
          "wait before an unreachable instance is tried again; each further wait is twice as long");
  private static final Setting RETRY_AT_MOST =
      duration("retry-at-most", "2s", "longest such wait; at least `retry-after`");
  private static final Setting MAX_OUTSTANDING =
      Setting.whole(
          "max-outstanding", 1024, 1, 65_536, "operations in progress; further ones fail at once");

  /** All settings. */
  public static final List<Setting> SETTINGS =
      List.of(TIMEOUT, RESIZE_TIMEOUT, POLL_INTERVAL, RETRY_AFTER, RETRY_AT_MOST, MAX_OUTSTANDING);

  /** Checks the ranges. */
  public RemoteSettings {
    Durations.check(TIMEOUT, timeout);
    Durations.check(RESIZE_TIMEOUT, resizeTimeout);
    Durations.check(POLL_INTERVAL, pollInterval);
    Durations.check(RETRY_AFTER, retryAfter);
    Durations.check(RETRY_AT_MOST, retryAtMost);
    if (retryAtMost.compareTo(retryAfter) < 0) {
      throw new IllegalArgumentException(
          "retry-at-most = "
              + words(retryAtMost)
              + " is invalid; allowed: at least retry-after, which is "
              + words(retryAfter));
    }
    MAX_OUTSTANDING.check((long) maxOutstanding);
  }

  private static Setting duration(String name, String standard, String meaning) {
    return Setting.duration(name, standard, "1ms", "1h", meaning);
  }

  /** The defaults. */
  public static RemoteSettings standard() {
    return new RemoteSettings(
        Durations.standard(TIMEOUT),
        Durations.standard(RESIZE_TIMEOUT),
        Durations.standard(POLL_INTERVAL),
        Durations.standard(RETRY_AFTER),
        Durations.standard(RETRY_AT_MOST),
        Math.toIntExact((Long) MAX_OUTSTANDING.standard()));
  }

  /** Returns a copy with another time-out of operations. */
  public RemoteSettings withTimeout(Duration other) {
    return new RemoteSettings(
        other, resizeTimeout, pollInterval, retryAfter, retryAtMost, maxOutstanding);
  }

  /**
   * Reads the limits of a remote store from its settings; missing ones default to {@link
   * #standard}.
   *
   * @throws dev.manx.policy.config.ConfigException if a setting is invalid
   */
  public static RemoteSettings read(ConfigNode node) {
    RemoteSettings like = standard();
    Duration retryAfter = Durations.readOr(RETRY_AFTER, node, like.retryAfter);
    Duration retryAtMost = Durations.readOr(RETRY_AT_MOST, node, like.retryAtMost);
    if (retryAtMost.compareTo(retryAfter) < 0) {
      throw node.find(RETRY_AT_MOST.name())
          .map(most -> most.refuse("at least retry-after, which is " + words(retryAfter)))
          .orElseGet(
              () ->
                  node.at(RETRY_AFTER.name())
                      .refuse("at most retry-at-most, which is " + words(retryAtMost)));
    }
    return new RemoteSettings(
        timeout(node),
        Durations.readOr(RESIZE_TIMEOUT, node, like.resizeTimeout),
        Durations.readOr(POLL_INTERVAL, node, like.pollInterval),
        retryAfter,
        retryAtMost,
        Math.toIntExact((Long) MAX_OUTSTANDING.readOr(node, (long) like.maxOutstanding)));
  }

  /**
   * Reads only {@code timeout}.
   *
   * @throws dev.manx.policy.config.ConfigException if it is invalid
   */
  public static Duration timeout(ConfigNode node) {
    return Durations.readOr(TIMEOUT, node, Durations.standard(TIMEOUT));
  }

  private static String words(Duration duration) {
    return Units.duration(duration.toNanos());
  }
}
