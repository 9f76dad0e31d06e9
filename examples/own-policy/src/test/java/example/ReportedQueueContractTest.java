/* SPDX-License-Identifier: Apache-2.0 */
package example;

import dev.manx.policy.select.SelectorContractTest;
import dev.manx.policy.spi.PolicyInfo;
import java.util.stream.Stream;

/** Runs the contract suite of selectors on this one. */
class ReportedQueueContractTest extends SelectorContractTest {
  static Stream<PolicyInfo> selectors() {
    return Stream.of(ReportedQueueSelector.POLICY);
  }
}
