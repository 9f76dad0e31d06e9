/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import dev.manx.policy.config.ConfigException;
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
  private SharePolicies() {}

  /**
   * All policies in the order in which they are listed.
   *
   * @throws ConfigException if a third party's policy cannot be used
   */
  public static List<PolicyInfo> all() {
    return List.copyOf(loaded().values());
  }

  /** A policy by its name. */
  public static Optional<PolicyInfo> find(String name) {
    return Optional.ofNullable(loaded().get(name));
  }

  /** Not a field: a refused policy of a third party would be an error of this class. */
  private static Map<String, PolicyInfo> loaded() {
    return load(Policies.family("cache"));
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

  private static Map<String, PolicyInfo> load(List<PolicyInfo> foreign) {
    Map<String, PolicyInfo> loaded = new LinkedHashMap<>();
    Stream.concat(own().stream(), foreign.stream())
        .map(policy -> policy.with(ControllerSettings.SETTINGS))
        .forEach(
            policy -> {
              if (loaded.putIfAbsent(policy.name(), policy) != null) {
                throw ConfigException.because(
                    "policies of a third party",
                    0,
                    "policy",
                    policy.name(),
                    "another policy has this name");
              }
            });
    return loaded;
  }
}
