/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.idle;

import dev.manx.policy.spi.PolicyInfo;
import java.util.List;

/** The registry's family {@code idle}: the policies that Manx has. */
public final class IdleStrategies {
  private IdleStrategies() {}

  /** Every one of them, in the order in which they are listed. */
  public static List<PolicyInfo> all() {
    return List.of(SpinIdle.POLICY, YieldIdle.POLICY, ParkIdle.POLICY, AdaptiveIdle.POLICY);
  }
}
