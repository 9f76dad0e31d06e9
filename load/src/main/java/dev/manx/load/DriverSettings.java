/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.internal.core.specex.ConstantSpeculativeExecutionPolicy;
import dev.manx.load.CassandraSettings.Coordinators;
import java.time.Duration;
import java.util.Locale;

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
