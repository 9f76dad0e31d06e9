/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.config.Durations;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * When the circuit breaker of a backend opens, so that its loads fail at once.
 *
 * @param loads number of recent loads considered, 1 to 1,000; the breaker never opens before that
 *     many
 * @param failures fraction of failed or timed-out loads at which it opens, more than 0 to 1
 * @param openFor how long it stays open before one trial load, for which no query waits; zero: no
 *     breaker; at most 1 h
 * @param ignoreException true for exceptions of a loader that say nothing about its backend, for
 *     example an {@code IllegalArgumentException}: they count neither as failures nor as successes.
 *     Called on the thread on which the loader answered; if it throws, the exception counts.
 *     Time-outs always count
 */
public record BreakerSettings(
    int loads, double failures, Duration openFor, Predicate<Throwable> ignoreException) {
  static final Setting LOADS =
      Setting.whole(
          "loads",
          20,
          1,
          1_000,
          "number of recent loads considered; the breaker never opens before this many");
  static final Setting FAILURES =
      Setting.share(
          "failures", 0.5, 0.001, 1, "the breaker opens when this part of them has failed");
  static final Setting OPEN_FOR =
      Setting.duration(
          "open-for",
          "0",
          "0",
          "1h",
          "how long it stays open before one load is tried; 0: no breaker");

  static final List<Setting> SETTINGS = List.of(LOADS, FAILURES, OPEN_FOR);

  // A constant, so that settings without a predicate are equal.
  private static final Predicate<Throwable> NOTHING = error -> false;

  /** No breaker. Once enabled by {@code openFor}, it considers 20 loads and opens at half. */
  public static final BreakerSettings OFF =
      new BreakerSettings(
          Math.toIntExact((Long) LOADS.standard()),
          (Double) FAILURES.standard(),
          Durations.standard(OPEN_FOR));

  /** Creates settings of a breaker that counts every exception. */
  public BreakerSettings(int loads, double failures, Duration openFor) {
    this(loads, failures, openFor, NOTHING);
  }

  /** Rejects values out of range. */
  public BreakerSettings {
    Objects.requireNonNull(ignoreException, "ignoreException");
    LOADS.check((long) loads);
    FAILURES.check(failures);
    Durations.check(OPEN_FOR, openFor);
  }

  /** Returns a copy with another open time. */
  public BreakerSettings withOpenFor(Duration value) {
    return new BreakerSettings(loads, failures, value, ignoreException);
  }

  /** Returns a copy that does not count exceptions for which the predicate is true. */
  public BreakerSettings withIgnoreException(Predicate<Throwable> value) {
    return new BreakerSettings(loads, failures, openFor, value);
  }

  /** Reads a mapping; missing keys keep their values from this object. */
  BreakerSettings read(ConfigNode node) {
    BreakerSettings settings =
        new BreakerSettings(
            Math.toIntExact((Long) LOADS.readOr(node, (long) loads)),
            (Double) FAILURES.readOr(node, failures),
            Durations.readOr(OPEN_FOR, node, openFor),
            ignoreException);
    node.noOtherKeys();
    return settings;
  }
}
