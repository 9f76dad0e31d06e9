/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.internal.core.specex.ConstantSpeculativeExecutionPolicy;
import dev.manx.load.CassandraSettings.Coordinators;
import java.time.Duration;
import java.util.Locale;

/**
 * How the driver deals with slow nodes, request by request.
 *
 * @param coordinators which node coordinates a request
 * @param slowAvoidance whether the driver's default policy avoids replicas that answer slowly, as
 *     it does unless told otherwise
 * @param speculativeNanos after how long the driver sends a request to a second coordinator as well
 *     ({@code ConstantSpeculativeExecutionPolicy}, two executions); 0 for never
 */
public record DriverSettings(
    Coordinators coordinators, boolean slowAvoidance, long speculativeNanos) {
  /**
   * Checks that they can be had together.
   *
   * @throws IllegalArgumentException if the node is chosen before the driver could choose
   */
  public DriverSettings {
    if (coordinators == Coordinators.ROUND_ROBIN && (slowAvoidance || speculativeNanos > 0)) {
      throw new IllegalArgumentException(
          "round-robin chooses the node; the driver can neither avoid it nor try a second one");
    }
  }

  /** The driver hides and repeats nothing. */
  static DriverSettings plain(Coordinators coordinators) {
    return new DriverSettings(coordinators, false, 0);
  }

  /** Whether the session's own profiles do. */
  boolean isPlain() {
    return !slowAvoidance && speculativeNanos == 0;
  }

  /** The driver's execution profile with these settings. */
  String profile(Paging paging) {
    return isPlain() ? paging.profile() : paging.profile() + suffix();
  }

  /** An execution profile with these settings and everything else as the session has it. */
  public String profile() {
    return "manx-own" + suffix();
  }

  private String suffix() {
    return (slowAvoidance ? "-avoiding" : "")
        + (speculativeNanos > 0 ? "-after-" + speculativeNanos : "");
  }

  /** Adds {@link #profile()} to a session's configuration. */
  public void addTo(ProgrammaticDriverConfigLoaderBuilder config) {
    config.startProfile(profile());
    set(config);
    config.endProfile();
  }

  /** Sets them in the profile that has been started. */
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

  /** For people. */
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
