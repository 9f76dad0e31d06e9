/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.metrics.DecayingEstimatedHistogramReservoir;
import org.apache.cassandra.metrics.SnapshottingTimer;
import org.apache.cassandra.service.reads.PercentileSpeculativeRetryPolicy;
import org.junit.jupiter.api.Test;

class TableTimerTest {
  private static final int REQUESTS = 400;
  private static final int KEYS = 40;

  private final TimedReads timed = new TimedReads(64);
  private final AtomicReference<ReadTimes> current = new AtomicReference<>();
  private final AtomicReference<Throwable> fault = new AtomicReference<>();
  private final SnapshottingTimer table = timer();
  private final TableTimer timer = new TableTimer(table, current::get, fault::set);
  private final SplittableRandom random = new SplittableRandom(5);
  private long messageId;

  private static SnapshottingTimer timer() {
    return new SnapshottingTimer(new DecayingEstimatedHistogramReservoir());
  }

  private static long threshold(SnapshottingTimer timer) {
    return PercentileSpeculativeRetryPolicy.NINETY_NINE_P.calculateThreshold(timer, -1);
  }

  /** One read in a hundred takes a hundred times as long. */
  private long[] draw() {
    long[] nanos = new long[KEYS];
    Arrays.setAll(
        nanos,
        i ->
            random.nextLong(500_000, 1_500_000)
                * (random.nextInt(100) == 0 && i % 2 == 0 ? 99 : 1));
    return nanos;
  }

  /** As Cassandra does at the end of a group: its slowest read's time, once for each key. */
  private void end(long wholeNanos, int keys) {
    for (int i = 0; i < keys; i++) {
      timer.update(wholeNanos, TimeUnit.NANOSECONDS);
    }
  }

  private long[] multiget(boolean followed) {
    long[] nanos = draw();
    ReadTimes times = followed ? timed.begin(KEYS) : ReadTimes.UNKNOWN;
    if (followed) {
      long first = messageId;
      for (int read = 0; read < KEYS; read++) {
        times.sent(read, 1, messageId++, 7_000);
      }
      for (int read = 0; read < KEYS; read++) {
        timed.answered(first + read, 7_000 + nanos[read]);
      }
    }
    current.set(times);
    end(Arrays.stream(nanos).max().orElseThrow(), KEYS);
    times.close();
    current.set(null);
    return nanos;
  }

  @Test
  void theThresholdIsThatOfTheSameReadsOneByOne() {
    SnapshottingTimer oneByOne = timer();
    for (int request = 0; request < REQUESTS; request++) {
      for (long nanos : multiget(true)) {
        oneByOne.update(nanos, TimeUnit.NANOSECONDS);
      }
    }
    assertThat(threshold(timer)).isEqualTo(threshold(oneByOne));
    assertThat(timer.getCount()).isEqualTo(REQUESTS * KEYS);
    assertThat(timer.reads()).isEqualTo(REQUESTS * KEYS);
    assertThat(threshold(timer.requests()))
        .as("the threshold without")
        .isGreaterThan(10 * threshold(oneByOne));
    assertThat(timed.size()).isZero();
  }

  @Test
  void untrackedMultigetsGetTheTimesOfTrackedOnes() {
    SnapshottingTimer oneByOne = timer();
    for (int request = 0; request < REQUESTS; request++) {
      for (long nanos : multiget(request % 8 == 0)) {
        oneByOne.update(nanos, TimeUnit.NANOSECONDS);
      }
    }
    assertThat(timer.getCount()).isEqualTo(REQUESTS * KEYS);
    assertThat(threshold(timer)).isLessThan(2 * threshold(oneByOne));
  }

  @Test
  void otherRequestsAreEnteredAsTheyAre() {
    SnapshottingTimer alone = timer();
    for (int i = 1; i <= 1_000; i++) {
      timer.update(i, TimeUnit.MICROSECONDS);
      alone.update(i, TimeUnit.MICROSECONDS);
    }
    assertThat(table.getSnapshot().getValues()).isEqualTo(alone.getSnapshot().getValues());
    assertThat(timer.getSnapshot().getValues()).isEqualTo(alone.getSnapshot().getValues());
    assertThat(timer.reads()).isZero();
  }

  @Test
  void beforeAnyReadIsKnownTheRequestsTimeCounts() {
    current.set(ReadTimes.UNKNOWN);
    end(5_000_000, 1_000);
    assertThat(threshold(timer)).isEqualTo(threshold(timer.requests()));
  }

  /** It is only displayed, and would cost each key as much as the table's own timer. */
  @Test
  void theThresholdWithoutComesFromASampleOfTheKeys() {
    int keys = 16_000;
    end(5_000_000, keys);
    assertThat(table.getCount()).isEqualTo(keys);
    // 1,000 are expected, with a standard deviation of 31.
    assertThat(timer.requests().getCount()).isBetween(800L, 1_200L);
    assertThat(threshold(timer.requests())).isEqualTo(threshold(timer));
  }

  @Test
  void failuresHereCostCassandraNothing() {
    TableTimer broken =
        new TableTimer(
            table,
            () -> {
              throw new IllegalStateException("broken");
            },
            fault::set);
    broken.update(3, TimeUnit.MILLISECONDS);
    assertThat(table.getCount()).isEqualTo(1);
    assertThat(fault.get()).hasMessage("broken");
  }
}
