/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.strategy.Policies;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The registry's family {@code cache}: the share policies that Manx has, and those of third
 * parties. Each has the settings of the controller behind its own.
 */
public final class SharePolicies {
  private static final Map<String, PolicyInfo> ALL = load();

  private SharePolicies() {}

  /** Every one of them, in the order in which they are listed. */
  public static List<PolicyInfo> all() {
    return List.copyOf(ALL.values());
  }

  /** A policy by its name. */
  public static Optional<PolicyInfo> find(String name) {
    return Optional.ofNullable(ALL.get(name));
  }

  private static List<PolicyInfo> own() {
    return List.of(
        SharedPolicy.POLICY,
        RobinHoodPolicy.POLICY,
        StaticPolicy.POLICY,
        CliffhangerPolicy.POLICY,
        FairPolicy.POLICY,
        LamaPolicy.POLICY,
        PacedPolicy.POLICY,
        GuardedPolicy.POLICY);
  }

  private static Map<String, PolicyInfo> load() {
    Map<String, PolicyInfo> all = new LinkedHashMap<>();
    Stream.concat(own().stream(), Policies.family("cache").stream())
        .map(policy -> policy.with(ControllerSettings.SETTINGS))
        .forEach(
            policy -> {
              if (all.putIfAbsent(policy.name(), policy) != null) {
                throw new IllegalStateException("two policies are named " + policy.name());
              }
            });
    return all;
  }
}
