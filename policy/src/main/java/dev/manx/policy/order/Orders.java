/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import dev.manx.policy.spi.PolicyInfo;
import java.util.List;

/** The registry's family {@code order}: the built-in policies of Manx. */
public final class Orders {
  private Orders() {}

  /** All policies, in the order of listings. */
  public static List<PolicyInfo> all() {
    return List.of(
        FifoOrder.POLICY,
        SjfOrder.POLICY,
        BottleneckOrder.POLICY,
        BoostOrder.POLICY,
        SlackEdfOrder.POLICY,
        MultilevelOrder.POLICY,
        LotteryOrder.POLICY,
        MaxWeightedFlowOrder.POLICY);
  }
}
