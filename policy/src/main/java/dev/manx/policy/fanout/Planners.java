/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.spi.PolicyInfo;
import java.util.List;

/** The registry's family {@code fanout}: the built-in policies of Manx. */
public final class Planners {
  private Planners() {}

  /** All policies, in the order of listings. */
  public static List<PolicyInfo> all() {
    return List.of(
        FanoutNone.POLICY,
        ReinSbf.POLICY,
        ReinSds.POLICY,
        BrbEqualMax.POLICY,
        BrbUnifIncr.POLICY,
        BrbCreditsPlanner.POLICY,
        TailxHoldPlanner.POLICY,
        TailxSlack.POLICY,
        HedgedPlanner.POLICY,
        TiedPlanner.POLICY,
        SpeculativeRetryPlanner.POLICY);
  }
}
