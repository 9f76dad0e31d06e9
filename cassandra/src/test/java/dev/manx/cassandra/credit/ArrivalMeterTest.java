/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.credit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.fanout.CongestionMeter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ArrivalMeterTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MILLI = 1_000_000L;

  // Two threads.
  private final CongestionMeter policys = new CongestionMeter(SECOND, 2 * SECOND);
  private final ArrivalMeter meter = new ArrivalMeter(policys, 100, 7 * MILLI);

  @Test
  void arrivalsAreEndedReadsAndTheQueuesGrowth() {
    long now = 5;
    long completed = 100;
    // 1 s of work ended in each of the first two ticks, as much as the node can do in a second.
    for (int tick = 0; tick < 2; tick++) {
      completed += 500;
      now += SECOND / 10;
      assertThat(meter.look(completed, 2 * MILLI, 7 * MILLI, now)).isFalse();
    }
    now += SECOND / 10;
    assertThat(meter.look(completed, 2 * MILLI, 8 * MILLI, now)).as("1 ms more waits").isTrue();
    now += SECOND / 10;
    assertThat(meter.look(completed, 2 * MILLI, 500 * MILLI, now)).as("once").isFalse();
  }

  @Test
  void aQueueThatOnlyShrinksHasNoArrivals() {
    assertThat(meter.look(100, 2 * MILLI, 5 * SECOND, 5)).isTrue();
    long now = 5 + 2 * SECOND;
    assertThat(meter.look(2_600, 2 * MILLI, 0, now)).as("5 s of work, all of it waited").isFalse();
  }
}
