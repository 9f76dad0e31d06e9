/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.oracle;

import dev.manx.policy.spi.PolicyInfo;
import java.util.List;

/** The registry's family {@code oracle}: the built-in policies of Manx. */
public final class Oracles {
  private Oracles() {}

  /** All policies, in the order of listings. */
  public static List<PolicyInfo> all() {
    return List.of(
        BloomSizeOracle.POLICY,
        KeyEncodedSizeOracle.POLICY,
        SizeFileOracle.POLICY,
        SizeEwmaOracle.POLICY,
        SpaceSavingOracle.POLICY);
  }
}
