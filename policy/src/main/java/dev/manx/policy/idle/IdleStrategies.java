/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.idle;

import dev.manx.policy.spi.PolicyInfo;
import java.util.List;

/** The registry's family {@code idle}: the built-in policies of Manx. */
public final class IdleStrategies {
  private IdleStrategies() {}

  /** All policies, in the order of listings. */
  public static List<PolicyInfo> all() {
    return List.of(SpinIdle.POLICY, YieldIdle.POLICY, ParkIdle.POLICY, AdaptiveIdle.POLICY);
  }
}
