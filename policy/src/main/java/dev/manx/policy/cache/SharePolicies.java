/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.cache;

import dev.manx.policy.spi.PolicyInfo;
import java.util.List;
import java.util.stream.Stream;

/** The registry's family {@code cache}: the policies that Manx has. */
public final class SharePolicies {
  private SharePolicies() {}

  /** Every one of them, in the order in which they are listed. */
  public static List<PolicyInfo> all() {
    return Stream.of(
            SharedPolicy.POLICY,
            RobinHoodPolicy.POLICY,
            StaticPolicy.POLICY,
            CliffhangerPolicy.POLICY,
            FairPolicy.POLICY,
            LamaPolicy.POLICY,
            PacedPolicy.POLICY)
        .map(policy -> policy.with(ControllerSettings.SETTINGS))
        .toList();
  }
}
