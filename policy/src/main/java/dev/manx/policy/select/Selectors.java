/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.spi.PolicyInfo;
import java.util.List;

/** The registry's family {@code select}: the built-in policies of Manx. */
public final class Selectors {
  private Selectors() {}

  /** All policies, in the order of listings. */
  public static List<PolicyInfo> all() {
    return List.of(
        StockSelector.POLICY,
        RandomSelector.POLICY,
        RoundRobinSelector.POLICY,
        PrimarySelector.POLICY,
        LorSelector.POLICY,
        LowSelector.POLICY,
        P2cSelector.POLICY,
        DynamicSnitchSelector.POLICY,
        Snitch14459Selector.POLICY,
        DriverDefaultSelector.POLICY,
        C3Selector.POLICY,
        PrequalSelector.POLICY,
        C3RateControlSelector.POLICY,
        PopularityAwareSelector.POLICY);
  }
}
