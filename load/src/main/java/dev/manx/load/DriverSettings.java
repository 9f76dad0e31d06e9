/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.internal.core.specex.ConstantSpeculativeExecutionPolicy;
import dev.manx.load.CassandraSettings.Coordinators;
import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/**
 * The driver's handling of slow nodes, per request.
 *
 * @param coordinators which node coordinates a request
 * @param slowAvoidance whether the driver's default policy avoids slow replicas, as it does by
 *     default
 * @param speculativeNanos delay before the driver also sends a request to a second coordinator
 *     ({@code ConstantSpeculativeExecutionPolicy}, two executions); 0 for never
 */
public record DriverSettings(
    Coordinators coordinators, boolean slowAvoidance, long speculativeNanos) {
  /**
   * Tick of the session's timer if an arm has speculative execution. The timer sends the second
   * requests at its next tick, and the driver's default of 100 ms would delay them by as much.
   */
  private static final Duration TIMER_TICK = Duration.ofMillis(1);

  /**
   * Checks that the settings are compatible.
   *
   * @throws IllegalArgumentException if round robin excludes the driver's choice of a node
   */
  public DriverSettings {
    if (coordinators == Coordinators.ROUND_ROBIN && (slowAvoidance || speculativeNanos > 0)) {
      throw new IllegalArgumentException(
          "round-robin chooses the node; the driver can neither avoid it nor try a second one");
    }
  }

  /** Default: the driver neither avoids slow nodes nor repeats requests. */
  static DriverSettings plain(Coordinators coordinators) {
    return new DriverSettings(coordinators, false, 0);
  }

  /** Whether the session's standard profiles suffice. */
  boolean isPlain() {
    return !slowAvoidance && speculativeNanos == 0;
  }

  /** The driver's execution profile with these settings. */
  String profile(Paging paging) {
    return isPlain() ? paging.profile() : paging.profile() + suffix();
  }

  /** An execution profile with these settings, and the session's values for all others. */
  public String profile() {
    return "manx-own" + suffix();
  }

  private String suffix() {
    return (slowAvoidance ? "-avoiding" : "")
        + (speculativeNanos > 0 ? "-after-" + speculativeNanos : "");
  }

  /** The tick of a session's timer for these arms; empty for the driver's default. */
  private static Optional<Duration> timerTick(Collection<DriverSettings> arms) {
    return arms.stream().anyMatch(arm -> arm.speculativeNanos > 0)
        ? Optional.of(TIMER_TICK)
        : Optional.empty();
  }

  /** Sets the timer of a session that serves these arms, in its default profile. */
  public static void setTimer(
      ProgrammaticDriverConfigLoaderBuilder config, Collection<DriverSettings> arms) {
    timerTick(arms)
        .ifPresent(
            tick -> config.withDuration(DefaultDriverOption.NETTY_TIMER_TICK_DURATION, tick));
  }

  /** Describes the timer of a session that serves these arms; empty for the driver's default. */
  public static Optional<String> timerWords(Collection<DriverSettings> arms) {
    return timerTick(arms)
        .map(
            tick ->
                "tick of "
                    + tick.toMillis()
                    + " ms instead of the default of 100 ms, for all arms, because it sends the"
                    + " requests of speculative execution");
  }

  /** Adds {@link #profile()} to a session's configuration. */
  public void addTo(ProgrammaticDriverConfigLoaderBuilder config) {
    config.startProfile(profile());
    set(config);
    config.endProfile();
  }

  /** Sets these settings in the started profile. */
  void set(ProgrammaticDriverConfigLoaderBuilder config) {
    config.withBoolean(DefaultDriverOption.LOAD_BALANCING_POLICY_SLOW_AVOIDANCE, slowAvoidance);
    if (speculativeNanos > 0) {
      config
          .withClass(
              DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS,
              ConstantSpeculativeExecutionPolicy.class)
          .withInt(DefaultDriverOption.SPECULATIVE_EXECUTION_MAX, 2)
          .withDuration(
              DefaultDriverOption.SPECULATIVE_EXECUTION_DELAY, Duration.ofNanos(speculativeNanos));
    }
  }

  /** A description for users. */
  public String words() {
    return String.format(
        Locale.ROOT,
        "%s, slow replica avoidance %s, speculative execution %s",
        switch (coordinators) {
          case DRIVER_DEFAULT -> "default policy, token-aware for single reads";
          case ROUND_ROBIN -> "round robin, fixed by the request's number";
        },
        slowAvoidance ? "on" : "off",
        speculativeNanos > 0 ? "after " + speculativeNanos / 1e6 + " ms" : "off");
  }
}
