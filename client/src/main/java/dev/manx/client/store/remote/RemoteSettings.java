/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Units;
import java.time.Duration;

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
  private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();
  private static final int MOST_OUTSTANDING = 65_536;

  /** Checks the ranges. */
  public RemoteSettings {
    positive("timeout", timeout);
    positive("resize-timeout", resizeTimeout);
    positive("poll-interval", pollInterval);
    positive("retry-after", retryAfter);
    if (retryAtMost.compareTo(retryAfter) < 0) {
      throw invalid("retry-at-most", retryAtMost, "at least retry-after, which is " + retryAfter);
    }
    if (maxOutstanding < 1 || maxOutstanding > MOST_OUTSTANDING) {
      throw invalid("max-outstanding", maxOutstanding, "1 to " + MOST_OUTSTANDING);
    }
  }

  /**
   * The defaults: 200 ms an operation, 2 s a resize, a poll each second, retries after 100 ms to 2
   * s.
   */
  public static RemoteSettings standard() {
    return new RemoteSettings(
        Duration.ofMillis(200),
        Duration.ofSeconds(2),
        Duration.ofSeconds(1),
        Duration.ofMillis(100),
        Duration.ofSeconds(2),
        1_024);
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
    Duration retryAfter = time(node, "retry-after", like.retryAfter);
    Duration retryAtMost = time(node, "retry-at-most", like.retryAtMost);
    if (retryAtMost.compareTo(retryAfter) < 0) {
      throw node.find("retry-at-most")
          .map(most -> most.refuse("at least retry-after, which is " + words(retryAfter)))
          .orElseGet(
              () ->
                  node.at("retry-after")
                      .refuse("at most retry-at-most, which is " + words(retryAtMost)));
    }
    return new RemoteSettings(
        timeout(node),
        time(node, "resize-timeout", like.resizeTimeout),
        time(node, "poll-interval", like.pollInterval),
        retryAfter,
        retryAtMost,
        node.find("max-outstanding")
            .map(n -> (int) n.integer(1, MOST_OUTSTANDING))
            .orElse(like.maxOutstanding));
  }

  /**
   * Reads only {@code timeout}.
   *
   * @throws dev.manx.policy.config.ConfigException if it is invalid
   */
  public static Duration timeout(ConfigNode node) {
    return time(node, "timeout", standard().timeout);
  }

  private static Duration time(ConfigNode node, String key, Duration standard) {
    return node.find(key)
        .map(n -> Duration.ofNanos(n.durationNanos(1_000_000, HOUR_NANOS)))
        .orElse(standard);
  }

  private static String words(Duration duration) {
    return Units.duration(duration.toNanos());
  }

  private static void positive(String name, Duration duration) {
    if (duration.isNegative() || duration.isZero() || duration.toDays() > 0) {
      throw invalid(name, duration, "more than 0 and less than a day");
    }
  }

  private static IllegalArgumentException invalid(String name, Object value, String allowed) {
    return new IllegalArgumentException(name + " = " + value + " is invalid; allowed: " + allowed);
  }
}
