/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.replay;

import dev.manx.policy.SplitMix;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.order.Order;
import dev.manx.policy.record.LogHead;
import dev.manx.policy.record.LogLine;
import dev.manx.policy.strategy.Host;
import dev.manx.policy.strategy.Strategy;
import java.util.HashMap;
import java.util.Map;

/**
 * The strategies of a log by number, wired like simulated ones, on the clock of the line being
 * replayed.
 */
final class Strategies {
  private final String file;
  private final SplitMix seeds;
  private final Map<Integer, Strategy> byNumber = new HashMap<>();
  private final Map<Integer, Long> limits = new HashMap<>();
  private long nowNanos;

  Strategies(String file, LogHead head) {
    this.file = file;
    this.seeds = new SplitMix(head.seed());
  }

  void now(long nanos) {
    nowNanos = nanos;
  }

  /**
   * Reads a strategy's line.
   *
   * @throws ConfigException if it has an unknown policy
   */
  void add(LogLine line) {
    int number = (int) line.number("s");
    // Logs of older versions, and of other hosts, have no limit.
    Long limit = line.text("l").isEmpty() ? null : line.number("l");
    byNumber.put(number, Strategy.parse(file + " strategy " + number, line.text("y"), host()));
    limits.put(number, limit);
  }

  /** Limits an order's waits as the node limited those of a strategy. */
  void limitWait(Order<?> order, int number) {
    Long limit = limits.get(number);
    if (limit != null) {
      order.limitWait(limit);
    }
  }

  /** Wires a strategy of another document. */
  Strategy of(ConfigNode strategy) {
    return Strategy.of(strategy, host());
  }

  private Host host() {
    return Host.replay(() -> nowNanos, seeds::nextLong);
  }

  /** The strategy of a number; fails if no line described it. */
  Strategy get(int number) {
    Strategy strategy = byNumber.get(number);
    if (strategy == null) {
      throw new IllegalArgumentException("the log does not describe strategy " + number);
    }
    return strategy;
  }
}
