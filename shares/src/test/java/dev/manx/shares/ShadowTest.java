/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Knowledge of keys outside a share: shadow queues, and samples of bounded size. */
class ShadowTest {
  private static final int BYTES = 100;

  @Test
  void aQueueSaysWhichSlotsItForgot() {
    List<Integer> forgotten = new ArrayList<>();
    ShadowQueue queue = new ShadowQueue(4, 100, forgotten::add);
    assertThat(queue.evicted(0, 60)).isTrue();
    assertThat(queue.evicted(1, 30)).isTrue();
    assertThat(queue.evicted(2, 30)).isTrue();
    assertThat(forgotten).containsExactly(0);
    assertThat(queue.missed(0)).isFalse();
    assertThat(queue.missed(1)).isTrue();
    assertThat(queue.missed(1)).as("it is in the share again").isFalse();
    assertThat(queue.bytes()).isEqualTo(30);
    assertThat(queue.evicted(2, 101)).as("heavier than the queue").isFalse();
    assertThat(queue.bytes()).isZero();
    assertThat(forgotten).containsExactly(0);
  }

  /** An owner that reports only keys in the sample, and the number of the others. */
  @Test
  void aSampleNeedsOnlyTheNumberOfKeysOutsideIt() {
    SplittableRandom random = new SplittableRandom(7);
    ShadowSampler all = new ShadowSampler(1e7);
    ShadowSampler some = new ShadowSampler(1e7);
    long skipped = 0;
    for (int q = 0; q < 200_000; q++) {
      int key = (int) (50_000 * Math.pow(random.nextDouble(), 2));
      all.query(key, BYTES);
      if (ShadowSampler.isSampled(key, some.threshold())) {
        some.query(key, BYTES);
      } else {
        skipped++;
      }
    }
    some.unseen(skipped, 0);
    assertThat(some.keys()).isEqualTo(all.keys()).isLessThan(5_000);
    assertThat(skipped).isPositive();
    for (double space : all.curve().bytes()) {
      assertThat(some.curve().missRatio(space))
          .isCloseTo(all.curve().missRatio(space), org.assertj.core.data.Offset.offset(0.005));
    }
  }

  @Test
  void queriesThatWereLostAreNotTakenForHits() {
    SplittableRandom random = new SplittableRandom(7);
    ShadowSampler told = new ShadowSampler(1e7);
    ShadowSampler untold = new ShadowSampler(1e7);
    long lost = 0;
    for (int q = 0; q < 100_000; q++) {
      int key = random.nextInt(3_000);
      if (random.nextBoolean()) {
        told.query(key, BYTES);
        untold.query(key, BYTES);
      } else {
        lost++;
      }
    }
    told.unseen(0, lost);
    untold.unseen(lost, 0);
    assertThat(told.curve().missRatio(50 * BYTES)).isGreaterThan(0.95);
    assertThat(untold.curve().missRatio(50 * BYTES)).isLessThan(0.6);
  }

  @Test
  void aSmallerSampleStillTellsTheCurve() {
    SplittableRandom random = new SplittableRandom(3);
    // More than all keys need, so that none leaves the sample because others were used since.
    ShadowSampler sampler = new ShadowSampler(4_000.0 * BYTES);
    for (int q = 0; q < 100_000; q++) {
      sampler.query(random.nextInt(3_000), BYTES);
      if (q == 20_000) {
        long before = sampler.threshold();
        sampler.keepAtMost(500);
        assertThat(sampler.keys()).isEqualTo(500);
        assertThat(Long.compareUnsigned(sampler.threshold(), before)).isNegative();
      }
    }
    // Keys without queries so far may still enter the sample.
    assertThat(sampler.keys()).isBetween(500, 510);
    for (double part : new double[] {0.25, 0.5, 0.75}) {
      assertThat(sampler.curve().missRatio(part * 3_000 * BYTES))
          .as("uniform: what does not fit is missed")
          .isBetween(1 - part - 0.1, 1 - part + 0.1);
    }
  }

  /** By hand: 100 of 1,000 keys answer a tenth of the queries, 200 a fifth. */
  @Test
  void aCurveOfFewQueriesSupportsNoFall() {
    SplittableRandom random = new SplittableRandom(3);
    ShadowSampler sampler = new ShadowSampler(1_000.0 * BYTES);
    for (int q = 0; q < 100_000; q++) {
      sampler.query(random.nextInt(1_000), BYTES);
      if (q == 10) {
        assertThat(sampler.curve().sureFall(100 * BYTES, 200 * BYTES)).isZero();
      }
    }
    assertThat(sampler.curve().sureFall(100 * BYTES, 200 * BYTES)).isBetween(0.08, 0.11);
  }

  private static double fall(MissCurve curve) {
    return curve.missRatio(0) - curve.missRatio(1_000.0 * BYTES);
  }

  /** An hour of many queries for few keys, then ten hours of few queries for keys once each. */
  @Test
  void whatWasSampledHoursAgoIsForgotten() {
    SplittableRandom random = new SplittableRandom(3);
    ShadowSampler sampler = new ShadowSampler(1_000.0 * BYTES);
    long second = 1_000_000_000L;
    long now = 5 * second;
    for (int q = 1; q <= 360_000; q++) {
      sampler.query((long) (1_000 * Math.pow(random.nextDouble(), 3)), BYTES);
      if (q % 6_000 == 0) {
        now += 60 * second;
        sampler.curve(now);
      }
    }
    assertThat(fall(sampler.curve(now))).isGreaterThan(0.95);
    for (int q = 1; q <= 360_000; q++) {
      sampler.query(1_000 + q, BYTES);
      if (q % 600 == 0) {
        now += 60 * second;
        sampler.curve(now);
      }
    }
    assertThat(fall(sampler.curve(now))).isLessThan(0.08);
  }

  /** Weeks of new keys, which are 8,200 times what the curve covers; then the workload changes. */
  @Test
  void keysThatAreNeverQueriedAgainLeaveTheSample() {
    ShadowSampler sampler = new ShadowSampler(100.0 * BYTES);
    long hour = 3_600 * 1_000_000_000L;
    long now = 0;
    for (int q = 1; q <= 820_000; q++) {
      sampler.query(1_000 + q, BYTES);
      if (q % 5_000 == 0) {
        now += hour;
        assertThat(fall(sampler.curve(now))).isZero();
        assertThat(sampler.keys()).isLessThanOrEqualTo(101);
      }
    }
    for (int q = 1; q <= 200_000; q++) {
      sampler.query(q % 50, BYTES);
      if (q % 5_000 == 0) {
        now += hour;
        sampler.curve(now);
      }
    }
    assertThat(sampler.curve(now).missRatio(5 * BYTES)).isGreaterThan(0.8);
    assertThat(sampler.curve(now).missRatio(60 * BYTES)).isLessThan(0.1);
  }

  /** Large values that come after many small ones count by their own size. */
  @Test
  void theSizeOfAnObjectIsThatOfKeysOfLate() {
    ShadowSampler sampler = new ShadowSampler(100.0 * BYTES);
    for (int q = 0; q < 2_000; q++) {
      sampler.query(q, q < 1_000 ? BYTES / 10 : BYTES);
    }
    assertThat(sampler.curve().objectBytes()).isEqualTo(BYTES);
  }

  /** Keys of one hash code take part in the sample together, each as itself. */
  @Test
  void keysOfOneHashCodeAreNotOneKey() {
    ShadowSampler sampler = new ShadowSampler(5.0 * BYTES);
    for (int q = 0; q < 8; q++) {
      sampler.query(7, "key" + q, BYTES);
    }
    assertThat(fall(sampler.curve())).isZero();
    assertThat(sampler.keys()).isEqualTo(6);
    assertThat(sampler.again(7, "key1")).as("dropped").isFalse();
    assertThat(sampler.again(7, "key2")).isTrue();
    assertThat(sampler.again(7, "key7")).isTrue();
    sampler.query(8, "other", BYTES);
    sampler.keepAtMost(1);
    assertThat(sampler.keys()).isLessThanOrEqualTo(1);
  }

  /**
   * The same in compressed time, where an hour takes six minutes and has a tenth of the queries.
   */
  @Test
  void inCompressedTimeItIsForgottenAsMuchSooner() {
    ShadowSampler full = new ShadowSampler(1_000.0 * BYTES);
    ShadowSampler compressed = new ShadowSampler(1_000.0 * BYTES, 0.1);
    for (ShadowSampler sampler : List.of(full, compressed)) {
      sampler.curve(0);
      for (int q = 0; q < 50_000; q++) {
        sampler.query(q % 100, BYTES);
      }
    }
    long sixMinutes = 360 * 1_000_000_000L;
    for (int q = 0; q < 20_000; q++) {
      full.query(1_000 + q, BYTES);
      compressed.query(1_000 + q, BYTES);
      if (q == 0) {
        full.curve(sixMinutes);
        compressed.curve(sixMinutes);
      }
    }
    // 50,000 hits count exp(-0.1) or exp(-1) times as much, against 20,000 queries without one.
    assertThat(fall(full.curve(sixMinutes))).isEqualTo(45_242 / 65_242.0, within(0.02));
    assertThat(fall(compressed.curve(sixMinutes))).isEqualTo(18_394 / 38_394.0, within(0.02));
  }

  @Test
  void withoutQueriesACurveStays() {
    ShadowSampler sampler = new ShadowSampler(100.0 * BYTES);
    for (int q = 0; q < 100_000; q++) {
      sampler.query(q % 50, BYTES);
    }
    double before = sampler.curve(0).missRatio(60 * BYTES);
    MissCurve after = sampler.curve(Long.MAX_VALUE);
    assertThat(after.missRatio(60 * BYTES)).isCloseTo(before, within(1e-9));
    assertThat(after.sureFall(0, 60 * BYTES)).isGreaterThan(0.9);
    assertThat(sampler.curve(0)).as("a clock that goes back").isNotNull();
  }

  @Test
  void aValueThatGrewCountsAsItIsNow() {
    ShadowSampler sampler = new ShadowSampler(1e6);
    for (int round = 0; round < 1_000; round++) {
      int bytes = round < 10 ? 10 : 1_000;
      for (int key = 0; key < 10; key++) {
        sampler.query(key, bytes);
      }
    }
    assertThat(sampler.curve().missRatio(5_000)).isGreaterThan(0.9);
    assertThat(sampler.curve().missRatio(12_000)).isLessThan(0.05);
  }
}
