/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.bound;

import dev.manx.policy.spi.PolicyInfo;
import java.util.List;

/** The registry's family {@code bound}: the reference bounds of Manx. */
public final class Bounds {
  private Bounds() {}

  /** All bounds, in the order of listings. */
  public static List<PolicyInfo> all() {
    return List.of(IdealBound.EQUALMAX, IdealBound.UNIFINCR, IdealBound.EQUALMAX_LPT);
  }
}
