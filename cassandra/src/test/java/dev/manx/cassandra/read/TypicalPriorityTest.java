/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.strategy.Strategy;
import org.junit.jupiter.api.Test;

class TypicalPriorityTest {
  private final TypicalPriority typical = new TypicalPriority();
  private final Strategy strategy = Strategy.parse("test", "strategy: {}", () -> 0);

  @Test
  void knowsNothingBeforeTheFirstTag() {
    assertThat(typical.priority(strategy)).isZero();
  }

  @Test
  void aFewWideRequestsDoNotPullItUp() {
    for (int i = 0; i < 2_000; i++) {
      typical.saw(strategy, i % 20 == 0 ? 100_000_000 : 1_000_000, 1_000_000);
    }
    // The arithmetic mean would be 5,950,000.
    assertThat(typical.priority(strategy)).isBetween(1_000_000L, 1_600_000L);
  }

  @Test
  void theManyReadsOfAWideRequestWeighNoMoreThanTheOneOfANarrowOne() {
    for (int i = 0; i < 2_000; i++) {
      typical.saw(strategy, 1_000_000, 1_000_000);
      for (int read = 0; read < 100; read++) {
        typical.saw(strategy, 100_000_000, 1_000_000);
      }
    }
    // Half of the requests are wide, so the geometric mean is 10^7; by reads it would be 9.5 *
    // 10^7.
    assertThat(typical.priority(strategy)).isBetween(8_000_000L, 12_500_000L);
  }

  @Test
  void anotherStrategyBeginsAnew() {
    typical.saw(strategy, 1_000_000, 1_000_000);
    assertThat(typical.priority(strategy)).isEqualTo(1_000_000);
    assertThat(typical.priority(Strategy.parse("test", "strategy: {}", () -> 0))).isZero();
  }
}
