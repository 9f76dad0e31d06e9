/* SPDX-License-Identifier: Apache-2.0 */
package example;

import dev.manx.policy.select.SelectorContractTest;
import dev.manx.policy.spi.PolicyInfo;
import java.util.stream.Stream;

/** What every selector promises, asked of this one. */
class ReportedQueueContractTest extends SelectorContractTest {
  static Stream<PolicyInfo> selectors() {
    return Stream.of(ReportedQueueSelector.POLICY);
  }
}
