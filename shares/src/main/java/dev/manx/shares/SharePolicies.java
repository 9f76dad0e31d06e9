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
 * The registry's family {@code cache}: the share policies of Manx and of third parties. Each
 * policy's settings are followed by those of the controller.
 */
public final class SharePolicies {
  private static final Map<String, PolicyInfo> ALL = load();

  private SharePolicies() {}

  /** All policies in the order in which they are listed. */
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
