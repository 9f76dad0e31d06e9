/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.reference;

import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.strategy.Policies;
import dev.manx.shares.SharePolicies;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The policies of all modules and of third parties. */
public final class Registry {
  private Registry() {}

  /** The policies of strategies and of waiting threads, then those that divide caches. */
  public static List<PolicyInfo> all() {
    return Stream.concat(
            Policies.all().stream().filter(policy -> !isShare(policy)),
            SharePolicies.all().stream())
        .toList();
  }

  /** A policy by its name. */
  public static Optional<PolicyInfo> find(String name) {
    return all().stream().filter(policy -> policy.name().equals(name)).findFirst();
  }

  private static boolean isShare(PolicyInfo policy) {
    return policy.family().equals("cache");
  }
}
