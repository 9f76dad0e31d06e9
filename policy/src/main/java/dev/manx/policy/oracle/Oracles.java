/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.oracle;

import dev.manx.policy.spi.PolicyInfo;
import java.util.List;

/** The registry's family {@code oracle}: the policies that Manx has. */
public final class Oracles {
  private Oracles() {}

  /** Every one of them, in the order in which they are listed. */
  public static List<PolicyInfo> all() {
    return List.of(
        BloomSizeOracle.POLICY,
        KeyEncodedSizeOracle.POLICY,
        SizeFileOracle.POLICY,
        SizeEwmaOracle.POLICY,
        SpaceSavingOracle.POLICY);
  }
}
