/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.bound;

import dev.manx.policy.spi.PolicyInfo;
import java.util.List;

/** The registry's family {@code bound}: the references that Manx has. */
public final class Bounds {
  private Bounds() {}

  /** Every one of them, in the order in which they are listed. */
  public static List<PolicyInfo> all() {
    return List.of(IdealBound.EQUALMAX, IdealBound.UNIFINCR, IdealBound.EQUALMAX_LPT);
  }
}
