/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.codahale.metrics.Snapshot;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurationCountsTest {
  private static final long MICRO = 1_000;

  @Test
  void everyDurationFallsIntoABucketAtMostAnEighthWide() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 100_000; i++) {
      long micros = random.nextLong(1L << random.nextInt(1, 28));
      long most = DurationCounts.mostMicros(DurationCounts.indexOf(micros));
      assertThat(most).isGreaterThanOrEqualTo(micros);
      assertThat((double) (most - micros)).isLessThanOrEqualTo(micros / 8.0);
    }
  }

  @Test
  void bucketsFollowEachOtherWithoutGap() {
    for (int i = 1; i < DurationCounts.SIZE; i++) {
      assertThat(DurationCounts.indexOf(DurationCounts.mostMicros(i - 1) + 1)).isEqualTo(i);
    }
  }

  @Test
  void shownBucketsIncludeTheirLowerEnds() {
    DurationCounts buckets = new DurationCounts();
    buckets.add(0);
    buckets.add(1_000 * MICRO);
    buckets.add(1_010 * MICRO);
    buckets.add(1_030 * MICRO);
    assertThat(Quantiles.of(List.of(buckets, buckets)).buckets().toString())
        .isEqualTo("{0=2, 959=0, 1023=4, 1151=2}");
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, Long.MAX_VALUE})
  void valuesOutOfRangeAreCountedAtTheEnds(long nanos) {
    DurationCounts buckets = new DurationCounts();
    buckets.add(nanos);
    assertThat(LongStream.of(buckets.all()).sum()).isEqualTo(1);
    assertThat(buckets.all()[nanos > 0 ? DurationCounts.SIZE - 1 : 0]).isEqualTo(1);
  }

  @Test
  void quantilesAreThoseOfTheValues() {
    DurationCounts buckets = new DurationCounts();
    for (long micros = 1; micros <= 10_000; micros++) {
      buckets.add(micros * MICRO);
    }
    Snapshot snapshot = histogram(buckets).getSnapshot();
    assertThat(snapshot.getMedian()).isBetween(5_000.0, 5_000 * 1.125);
    assertThat(snapshot.get99thPercentile()).isBetween(9_900.0, 9_900 * 1.125);
    assertThat(snapshot.getMin()).isEqualTo(1);
    assertThat(snapshot.getMax()).isBetween(10_000L, 11_250L);
    assertThat(snapshot.getMean()).isBetween(5_000.0, 5_000 * 1.125);
    assertThat(snapshot.getStdDev()).isCloseTo(10_000 / Math.sqrt(12), within(300.0));
    assertThat(snapshot.size()).isEqualTo(10_000);
  }

  @Test
  void nothingCountedIsZero() {
    Snapshot snapshot = histogram(new DurationCounts()).getSnapshot();
    assertThat(
            List.of(
                snapshot.getMedian(),
                snapshot.get999thPercentile(),
                snapshot.getMean(),
                snapshot.getStdDev(),
                (double) snapshot.getMax()))
        .containsOnly(0.0);
  }

  @Test
  void recentMeansSinceTheTurnBeforeLast() {
    DurationCounts buckets = new DurationCounts();
    buckets.add(10 * MICRO);
    buckets.turn();
    buckets.add(100 * MICRO);
    assertThat(histogram(buckets).getSnapshot().size()).isEqualTo(2);
    buckets.turn();
    assertThat(histogram(buckets).getSnapshot().size()).isEqualTo(1);
    assertThat(histogram(buckets).getSnapshot().getMin()).isGreaterThanOrEqualTo(100);
    buckets.turn();
    assertThat(histogram(buckets).getSnapshot().size()).isZero();
    assertThat(histogram(buckets).getCount()).isEqualTo(2);
  }

  @Test
  void keysTakenFromAnotherCountButAreNotRecent() {
    DurationCounts gone = new DurationCounts();
    gone.add(10 * MICRO);
    DurationCounts buckets = new DurationCounts();
    buckets.take(gone);
    buckets.add(20 * MICRO);
    buckets.turn();
    assertThat(histogram(buckets).getCount()).isEqualTo(2);
    assertThat(histogram(buckets).getSnapshot().size()).isEqualTo(1);
  }

  @Test
  void theIntervalOfAQuantileCoversItNineteenTimesOfTwenty() {
    SplittableRandom random = new SplittableRandom(3);
    int runs = 400;
    int covered = 0;
    for (int run = 0; run < runs; run++) {
      DurationCounts buckets = new DurationCounts();
      for (int i = 0; i < 2_000; i++) {
        buckets.add((long) (-1e6 * Math.log(1 - random.nextDouble())) * MICRO);
      }
      BucketSnapshot snapshot = new BucketSnapshot(buckets.all());
      // The true quantile, as shown by the buckets.
      long truth =
          DurationCounts.mostMicros(DurationCounts.indexOf((long) (-1e6 * Math.log(0.01))));
      covered += snapshot.low(0.99) <= truth && truth <= snapshot.high(0.99) ? 1 : 0;
    }
    assertThat(covered).isGreaterThan(runs * 93 / 100);
  }

  @Test
  void theIntervalOfFewValuesEndsAtThem() {
    DurationCounts buckets = new DurationCounts();
    buckets.add(5 * MICRO);
    buckets.add(7 * MICRO);
    BucketSnapshot snapshot = new BucketSnapshot(buckets.all());
    assertThat(snapshot.low(0.99)).isEqualTo(5);
    assertThat(snapshot.high(0.99)).isEqualTo(7);
  }

  private static BucketHistogram histogram(DurationCounts buckets) {
    return new BucketHistogram(() -> List.of(buckets));
  }
}
