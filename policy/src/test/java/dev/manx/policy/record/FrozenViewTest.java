/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.facts.FactColumn;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class FrozenViewTest {
  /** A view in which the first fact arrives between the look at its age and that at its value. */
  private static final ClusterView ARRIVING =
      new ClusterView() {
        @Override
        public int capacity() {
          return 4;
        }

        @Override
        public int outstandingReads(int node) {
          return 2;
        }

        @Override
        public long outstandingWorkNanos(int node) {
          return 3;
        }

        @Override
        public long value(FactColumn column, int node) {
          return 7;
        }

        @Override
        public long ageNanos(FactColumn column, int node, long nowNanos) {
          return NEVER;
        }
      };

  /** The log holds no value of a fact that never arrived, so no decision may use one. */
  @Test
  void aFactThatArrivesMeanwhileIsUnknownToTheDecisionAsToItsReplay() {
    FrozenView frozen = FrozenView.of(ARRIVING, new int[] {1}, 100);
    FrozenView read =
        ViewText.read(ViewText.write(frozen, 100), List.of(ViewText.columns().split(",")), 4, 100);
    for (FactColumn column : FactColumn.values()) {
      assertThat(frozen.ageNanos(column, 1, 100)).isEqualTo(ClusterView.NEVER);
      assertThat(frozen.value(column, 1)).isZero().isEqualTo(read.value(column, 1));
    }
    assertThat(frozen.outstandingReads(1)).isEqualTo(2);
  }
}
