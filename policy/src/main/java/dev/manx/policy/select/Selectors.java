/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.spi.PolicyInfo;
import java.util.List;

/** The registry's family {@code select}: the policies that Manx has. */
public final class Selectors {
  private Selectors() {}

  /** Every one of them, in the order in which they are listed. */
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
