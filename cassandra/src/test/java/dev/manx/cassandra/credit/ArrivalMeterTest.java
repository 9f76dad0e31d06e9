/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.credit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ArrivalMeterTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MILLI = 1_000_000L;

  // Two threads.
  private final ArrivalMeter meter = new ArrivalMeter(SECOND, 2 * SECOND, 100, 7 * MILLI);

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

  /** Reads that are just arriving count as ended for a moment. */
  @Test
  void aCountThatFallsForAMomentCountsNoReadTwice() {
    ArrivalMeter one = new ArrivalMeter(SECOND, 2 * SECOND, 100, 0);
    long now = 5;
    for (long completed : new long[] {105, 100, 110}) {
      now += SECOND / 10;
      assertThat(one.look(completed, 150 * MILLI, 0, now)).as("1.5 s of work at most").isFalse();
    }
  }

  @ParameterizedTest(name = "an interval of {0} ms")
  @ValueSource(longs = {1, 10, 99, 100, 101, 150, 250, 1_000})
  void aNodeThatIsNotFullIsNotCongestedAndAFullOneIs(long intervalMillis) {
    ArrivalMeter one = new ArrivalMeter(intervalMillis * MILLI, 2 * SECOND, 0, 0);
    long now = 5;
    long completed = 0;
    for (int tick = 0; tick < 50; tick++) {
      completed += 95;
      now += SECOND / 10 + tick % 3 * 50_000;
      assertThat(one.look(completed, 2 * MILLI, 0, now)).as("190 ms of work of 200").isFalse();
    }
    int signals = 0;
    for (int tick = 0; tick < 50; tick++) {
      completed += 110;
      now += SECOND / 10 + tick % 3 * 50_000;
      signals += one.look(completed, 2 * MILLI, 0, now) ? 1 : 0;
    }
    assertThat(signals).as("220 ms of work of 200, for 5 s").isGreaterThanOrEqualTo(4);
  }
}
