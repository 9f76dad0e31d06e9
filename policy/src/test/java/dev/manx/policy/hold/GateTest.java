/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.facts.ClusterView;
import org.junit.jupiter.api.Test;

/** Permits that answers on other threads change while the gate is at work. */
class GateTest {
  /** One node that looks open until it closes while the gate is at work. */
  private static final class ClosesMeanwhile implements Permits {
    private int looks;
    private int spent;

    @Override
    public long rank(RoutedOp read) {
      return 0;
    }

    @Override
    public long opensAtNanos(int node) {
      return looks++ == 0 ? 0 : 100;
    }

    @Override
    public boolean isBetter(RoutedOp read, int node, int other, long now, ClusterView view) {
      return false;
    }

    @Override
    public void spend(RoutedOp read, long nowNanos) {
      assertThat(read.node).isZero();
      spent++;
    }

    @Override
    public void reportChanges(GatedReads<?> held, long nowNanos) {
      // It closes after its changes were last read.
    }
  }

  @Test
  void aReadWhoseNodeClosesWhileItIsChosenWaitsUntilItOpens() {
    ClosesMeanwhile permits = new ClosesMeanwhile();
    Gate<TestRead> gate = new Gate<>(permits, 10, false);
    TestRead read = new TestRead("a", 0, 1, 0);
    assertThat(gate.offer(read)).isTrue();

    assertThat(gate.release(10, null)).isNull();
    assertThat(gate.size()).isOne();
    assertThat(permits.spent).isZero();
    assertThat(gate.nextReleaseNanos(10)).isEqualTo(100);

    assertThat(gate.release(100, null)).isSameAs(read);
    assertThat(permits.spent).isOne();
    assertThat(gate.size()).isZero();
  }
}
