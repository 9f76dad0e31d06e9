/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class PooledResultTest {
  /**
   * Two calm rounds of 1..10 and one of 100..1000: 30 values together, so P90 is the 27th, 700; the
   * rounds' own P90 are 9, 9 and 900, their median 9.
   */
  @Test
  void poolAndMedianOverRoundsDiffer() {
    PooledResult result =
        PooledResult.of(List.of(tens(1), tens(1), tens(100)), 90, Bootstrap.standard());
    assertThat(result.pooled()).isEqualTo(700);
    assertThat(result.overRounds().value()).isEqualTo(9);
    assertThat(result.overRounds().lo()).isEqualTo(9);
    assertThat(result.overRounds().hi()).isEqualTo(900);
  }

  @Test
  void emptyRoundsAreLeftOut() {
    PooledResult some =
        PooledResult.of(List.of(tens(1), new Histogram(3)), 50, Bootstrap.standard());
    assertThat(some.overRounds()).isEqualTo(new Estimate(5, 5, 5, 1));
    PooledResult none = PooledResult.of(List.of(), 50, Bootstrap.standard());
    assertThat(none.pooled()).isNaN();
    assertThat(none.overRounds().exists()).isFalse();
  }

  @Test
  void mergingLeavesTheRoundsAlone() {
    Histogram round = tens(1);
    assertThat(PooledResult.merge(List.of(round, tens(100))).getTotalCount()).isEqualTo(20);
    assertThat(round.getTotalCount()).isEqualTo(10);
  }

  private static Histogram tens(long step) {
    Histogram histogram = new Histogram(3);
    for (int i = 1; i <= 10; i++) {
      histogram.recordValue(i * step);
    }
    return histogram;
  }
}
