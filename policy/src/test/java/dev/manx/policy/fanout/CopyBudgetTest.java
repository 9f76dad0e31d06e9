/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CopyBudgetTest {
  @Test
  void theTokenOfACopyThatWasNotSentReturns() {
    CopyBudget budget = new CopyBudget(1, 0, 0.5);
    for (int copy = 0; copy < 100; copy++) {
      assertThat(budget.take()).isTrue();
      assertThat(budget.take()).as("the burst is one copy").isFalse();
      budget.abandoned();
    }
    budget.abandoned();
    assertThat(budget.take()).isTrue();
    assertThat(budget.take()).as("a burst never grows").isFalse();
  }
}
