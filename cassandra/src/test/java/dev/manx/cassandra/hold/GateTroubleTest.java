/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.hold;

import static dev.manx.cassandra.hold.HoldBench.LIFE;
import static dev.manx.cassandra.hold.HoldBench.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.control.Counter;
import dev.manx.policy.hold.Gate;
import dev.manx.policy.hold.GatedReads;
import dev.manx.policy.hold.Permits;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Permits that throw or change at the wrong moment, and a gate with a full timer. */
@Timeout(60)
class GateTroubleTest {
  private final HoldBench bench = new HoldBench();
  private final List<Throwable> faults = new ArrayList<>();
  private final List<HeldRead> left = new ArrayList<>();

  private NodeGate gate(Permits permits) {
    return new NodeGate(
        new Gate<>(permits, 8, false),
        bench.engine.state(),
        bench.now::get,
        bench.engine.guard().stalls(),
        left::add,
        faults::add,
        () -> {});
  }

  private HeldMessage ranked() {
    HeldMessage read = bench.read();
    read.ranked(HoldBench.NODE, 1, 0, MILLI, 0, bench.now.get());
    return read;
  }

  @Test
  void aReadWhosePermitsThrowLeavesAtOnceAndOnce() {
    NodeGate gate =
        gate(
            new NodeGateTest.Never() {
              @Override
              public void reportChanges(GatedReads<?> held, long nowNanos) {
                throw new IllegalStateException("no changes");
              }
            });
    assertThat(bench.holds.passes(gate, ranked(), LIFE)).isTrue();
    assertThat(faults).hasSize(1);
    assertThat(bench.holds.held()).isZero();
  }

  /** A read that has passed is the caller's, even after later failures. */
  @Test
  void permitsThatThrowAfterAReadHasPassedDoNotTakeItBack() {
    NodeGate gate =
        gate(
            new NodeGateTest.Never() {
              private int asked;

              @Override
              public long opensAtNanos(int node) {
                return 0;
              }

              @Override
              public void reportChanges(GatedReads<?> held, long nowNanos) {
                if (asked++ > 0) {
                  throw new IllegalStateException("no changes");
                }
              }
            });
    assertThat(bench.holds.passes(gate, ranked(), LIFE)).isTrue();
    assertThat(faults).hasSize(1);
    assertThat(left).isEmpty();
  }

  /** The working thread has read the changes, and then another occurs. */
  @Test
  void aChangeWhileTheGateIsAskedForItsTimeIsNotMissed() {
    NodeGate[] gate = new NodeGate[1];
    gate[0] =
        gate(
            new NodeGateTest.Never() {
              private int asked;
              private boolean open;

              @Override
              public long opensAtNanos(int node) {
                return open ? 0 : Long.MAX_VALUE;
              }

              @Override
              public void reportChanges(GatedReads<?> held, long nowNanos) {
                if (open) {
                  held.allChanged(nowNanos);
                }
                if (++asked == 2) {
                  open = true;
                  gate[0].look();
                }
              }
            });
    assertThat(bench.holds.passes(gate[0], ranked(), LIFE)).isTrue();
  }

  /**
   * A thread that does the steps of all others is inside policy code for only one step at a time.
   */
  @Test
  void aThreadThatWorksLongForOthersDoesNotCountAsStuck() {
    NodeGate[] gate = new NodeGate[1];
    List<Boolean> stuck = new ArrayList<>();
    gate[0] =
        gate(
            new NodeGateTest.Never() {
              @Override
              public void reportChanges(GatedReads<?> held, long nowNanos) {
                if (stuck.size() < 10) {
                  stuck.add(bench.engine.guard().stalls().look(bench.now.addAndGet(500 * MILLI)));
                  gate[0].admits(ranked());
                }
              }
            });
    gate[0].admits(ranked());
    assertThat(stuck).hasSize(10).containsOnly(false);
  }

  @Test
  void aReadThatTheTimerHasNoRoomForLeavesAtOnce() {
    for (int i = 0; i < Holds.MOST; i++) {
      bench.holds.hold(bench.read(), MILLI);
    }
    NodeGate gate = gate(new NodeGateTest.Never());
    long held = bench.count(Counter.READS_HELD);
    assertThat(bench.holds.passes(gate, ranked(), LIFE)).isTrue();
    assertThat(bench.count(Counter.HOLDS_OVERFLOWED)).isEqualTo(1);
    assertThat(bench.count(Counter.READS_HELD)).isEqualTo(held);
    assertThat(bench.holds.held()).isEqualTo(Holds.MOST);
  }
}
