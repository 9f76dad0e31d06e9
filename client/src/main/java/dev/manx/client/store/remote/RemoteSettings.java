/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import dev.manx.policy.config.ConfigNode;
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

  /** Checks the ranges. */
  public RemoteSettings {
    positive("timeout", timeout);
    positive("resize-timeout", resizeTimeout);
    positive("poll-interval", pollInterval);
    positive("retry-after", retryAfter);
    if (retryAtMost.compareTo(retryAfter) < 0) {
      throw new IllegalArgumentException("retry-at-most is less than retry-after");
    }
    if (maxOutstanding < 1 || maxOutstanding > 65_536) {
      throw new IllegalArgumentException("max-outstanding " + maxOutstanding + ": 1 to 65536");
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
    try {
      return new RemoteSettings(
          timeout(node),
          time(node, "resize-timeout", like.resizeTimeout),
          time(node, "poll-interval", like.pollInterval),
          time(node, "retry-after", like.retryAfter),
          time(node, "retry-at-most", like.retryAtMost),
          node.find("max-outstanding")
              .map(n -> (int) n.integer(1, 65_536))
              .orElse(like.maxOutstanding));
    } catch (IllegalArgumentException e) {
      throw node.refuse(e.getMessage());
    }
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

  private static void positive(String name, Duration duration) {
    if (duration.isNegative() || duration.isZero() || duration.toDays() > 0) {
      throw new IllegalArgumentException(name + " " + duration + ": more than 0, less than a day");
    }
  }
}
