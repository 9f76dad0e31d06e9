/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.facts.ClusterView;
import java.util.List;
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

  /** One node with room for one read a tick; smaller costs go first. */
  private static final class OneATick implements Permits {
    private long opensAt;

    @Override
    public long rank(RoutedOp read) {
      return read.costNanos;
    }

    @Override
    public long opensAtNanos(int node) {
      return opensAt;
    }

    @Override
    public boolean isBetter(RoutedOp read, int node, int other, long now, ClusterView view) {
      return false;
    }

    @Override
    public void spend(RoutedOp read, long nowNanos) {
      opensAt = nowNanos + 1;
    }

    @Override
    public void reportChanges(GatedReads<?> held, long nowNanos) {}
  }

  /** Two reads arrive a tick, and one leaves; returns when a read of the worst rank leaves. */
  private static long leaves(Gate<TestRead> gate) {
    TestRead last = new TestRead("last", 0, 1_000, 0);
    assertThat(gate.offer(last)).isTrue();
    for (long now = 0; now < 1_000; now++) {
      for (int i = 0; i < 2; i++) {
        TestRead other = new TestRead("other", 0, 1, 0);
        other.arrivalNanos = now;
        assertThat(gate.offer(other)).isTrue();
      }
      if (gate.release(now, null) == last) {
        return now;
      }
    }
    return Long.MAX_VALUE;
  }

  /**
   * On a node that is overloaded for long, reads of wide requests waited for their longest hold.
   */
  @Test
  void readsOfBetterRankDoNotKeepAnAgedReadBack() {
    Gate<TestRead> ages = new Gate<>(new OneATick(), 10_000, false);
    ages.agesAfter(() -> 100);
    assertThat(leaves(ages)).isEqualTo(100);
    assertThat(leaves(new Gate<>(new OneATick(), 10_000, false))).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void agedReadsLeaveInTheOrderOfTheirArrivalAndOnce() {
    Gate<TestRead> gate = new Gate<>(new OneATick(), 10, false);
    gate.agesAfter(() -> 5);
    TestRead first = new TestRead("first", 0, 3, 0);
    TestRead second = new TestRead("second", 0, 2, 0);
    TestRead young = new TestRead("young", 0, 1, 0);
    second.arrivalNanos = 1;
    young.arrivalNanos = 7;
    for (TestRead read : List.of(first, second, young)) {
      assertThat(gate.offer(read)).isTrue();
    }
    assertThat(gate.release(8, null)).isSameAs(first);
    assertThat(gate.release(9, null)).isSameAs(second);
    assertThat(gate.release(10, null)).isSameAs(young);
    assertThat(gate.release(20, null)).isNull();
    assertThat(gate.size()).isZero();
  }

  @Test
  void readsThatNothingWaitsForLeaveWithoutAPermit() {
    OneATick permits = new OneATick();
    Gate<TestRead> gate = new Gate<>(permits, 10, false);
    TestRead first = new TestRead("first", 0, 1, 0);
    TestRead second = new TestRead("second", 0, 2, 0);
    TestRead third = new TestRead("third", 0, 3, 0);
    for (TestRead read : List.of(first, second, third)) {
      assertThat(gate.offer(read)).isTrue();
    }
    first.awaited = false;
    second.awaited = false;
    assertThat(gate.release(0, null)).isSameAs(first);
    assertThat(gate.release(0, null)).isSameAs(second);
    assertThat(gate.release(0, null)).isSameAs(third);
    assertThat(permits.opensAt).isEqualTo(1);
    assertThat(gate.size()).isZero();
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
