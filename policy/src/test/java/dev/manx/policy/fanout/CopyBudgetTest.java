/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CopyBudgetTest {
  /** Copies at once earn no more than the allowance; all of them may be in vain. */
  @Test
  void aShareOfOneIsNoBound() {
    CopyBudget bounded = new CopyBudget(1_000, 1, 0.99);
    CopyBudget free = new CopyBudget(1_000, 1, 1);
    for (CopyBudget budget : new CopyBudget[] {bounded, free}) {
      for (int copy = 0; copy < 200; copy++) {
        assertThat(budget.take()).isTrue();
      }
      for (int copy = 0; copy < 200; copy++) {
        budget.wasted();
      }
    }
    assertThat(bounded.take()).isFalse();
    assertThat(free.take()).isTrue();
  }

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
