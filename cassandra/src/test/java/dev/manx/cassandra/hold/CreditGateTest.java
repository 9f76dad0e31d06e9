/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.hold;

import static dev.manx.cassandra.hold.HoldBench.LIFE;
import static dev.manx.cassandra.hold.HoldBench.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.control.Counter;
import dev.manx.policy.fanout.Credits;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reads of two requests that wait for credit at one node. */
@Timeout(60)
class CreditGateTest {
  private final HoldBench bench = new HoldBench("strategy: { fanout: fanout.brb-credits }");
  private final NodeGate gate = bench.engine.gate();
  private final Credits credits = bench.engine.strategy().planner().credits();
  private final RequestHolds first = new RequestHolds();
  private final RequestHolds second = new RequestHolds();

  @BeforeEach
  void begin() {
    credits.grant(new double[] {0, 0}, bench.now.get());
    for (int read = 0; read < 3; read++) {
      hold(first);
    }
  }

  private void hold(RequestHolds request) {
    HeldMessage read = bench.read(bench.engine, request);
    read.ranked(HoldBench.NODE, 1, 0, MILLI, 0, bench.now.get());
    assertThat(bench.holds.passes(gate, read, LIFE)).isFalse();
  }

  private void grant() {
    credits.grant(new double[] {0, MILLI}, bench.now.get());
    gate.look();
    bench.pass(1);
  }

  /** Credit of a millisecond a second lets one read leave, and then none for a second. */
  @Test
  void oneReadSpendsAllCredit() {
    hold(second);
    grant();
    assertThat(bench.departures.sent).as("of the first request").hasSize(1);
    assertThat(bench.holds.held()).isEqualTo(3);
  }

  @Test
  void readsWhoseRequestHasEndedLeaveTheirCreditToOthers() {
    hold(second);
    first.over();
    grant();
    assertThat(bench.departures.sent).as("of the second request").hasSize(1);
    assertThat(bench.count(Counter.HOLDS_DROPPED)).isEqualTo(3);
    assertThat(bench.holds.held()).isZero();
  }

  @Test
  void readsWhoseRequestHasEndedAreNoDemand() {
    hold(second);
    long[] work = new long[2];
    bench.holds.addWaiting(bench.engine, bench.now.get() + 1, work);
    assertThat(work).containsExactly(0, 4 * MILLI);
    first.over();
    work[1] = 0;
    bench.holds.addWaiting(bench.engine, bench.now.get() + 1, work);
    assertThat(work).containsExactly(0, MILLI);
  }
}
