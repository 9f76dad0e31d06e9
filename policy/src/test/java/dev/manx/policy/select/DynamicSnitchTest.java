/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.FakeView;
import dev.manx.policy.Request;
import dev.manx.policy.Requests;
import dev.manx.policy.SplitMix;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cases of the dynamic snitch, computed by hand. */
class DynamicSnitchTest {
  private static final long MILLI = 1_000_000;
  private static final int A = 0;
  private static final int B = 1;
  private static final int C = 2;
  private final FakeView view = new FakeView(4);
  private final AtomicLong now = new AtomicLong();

  @ParameterizedTest
  @CsvSource({"'1,2,3', 2", "'1,2,3,4', 3", "'10,30', 30", "'7', 7", "'', 0", "'4,1,3,2', 3"})
  void theMedianOfEquallyOldSamplesIsTheUpperOne(String samples, long median) {
    DecayingReservoir reservoir = new DecayingReservoir(new SplitMix(1));
    for (String sample : samples.split(",")) {
      if (!sample.isEmpty()) {
        reservoir.add(Long.parseLong(sample), 0);
      }
    }
    assertThat(reservoir.median()).isEqualTo(median);
  }

  @ParameterizedTest
  @CsvSource({"6, 10", "7, 50"})
  void recentSamplesWeighMore(long second, long median) {
    DecayingReservoir reservoir = new DecayingReservoir(new SplitMix(1));
    for (int i = 0; i < 99; i++) {
      reservoir.add(10, 0);
    }
    reservoir.add(50, second);
    assertThat(reservoir.median()).isEqualTo(median);
  }

  @Test
  void theReservoirIsBoundedAndForgetsTheOld() {
    DecayingReservoir reservoir = new DecayingReservoir(new SplitMix(1));
    for (long second = 0; second < 3_000_000; second += 10_000) {
      for (int i = 0; i < DecayingReservoir.SIZE; i++) {
        reservoir.add(second, second);
      }
      assertThat(reservoir.median()).isEqualTo(second);
    }
    reservoir.clear();
    assertThat(reservoir.isEmpty()).isTrue();
    assertThat(reservoir.median()).isZero();
  }

  @Test
  void scoresAreMediansOverTheLargest() {
    DynamicSnitchSelector snitch = scored(MILLI, 1.0);
    assertThat(new double[] {snitch.score(A), snitch.score(B), snitch.score(C), snitch.score(3)})
        .containsExactly(.25, .5, 1, 0);
  }

  @Test
  void theStockOrderIsKeptUnlessAPositionIsWorseByTheTolerance() {
    assertThat(rank(scored(MILLI, 1.0), B, A, C)).containsExactly(B, A, C);
    assertThat(rank(scored(MILLI, 1.0), C, A, B)).containsExactly(A, B, C);
    assertThat(rank(scored(MILLI, 0.1), B, A, C)).containsExactly(A, B, C);
    assertThat(rank(scored(MILLI, 0), B, A, C)).containsExactly(A, B, C);
  }

  @ParameterizedTest
  @CsvSource({"1000000, 2, 1, 0", "1000, 0, 1, 2", "1, 0, 1, 2"})
  void wholeMillisecondsHideFastNodes(long rounding, int first, int second, int third) {
    DynamicSnitchSelector snitch = selector(rounding, 0);
    snitch.answered(A, 1, 400_000, view);
    snitch.answered(B, 1, 600_000, view);
    snitch.answered(C, 1, 900_000, view);
    update(snitch);
    assertThat(rank(snitch, C, B, A)).containsExactly(first, second, third);
  }

  @Test
  void equalScoresKeepTheStockOrderAndUnknownNodesComeFirst() {
    DynamicSnitchSelector snitch = selector(MILLI, 0);
    snitch.answered(A, 1, 5 * MILLI, view);
    snitch.answered(B, 1, 5 * MILLI, view);
    update(snitch);
    assertThat(rank(snitch, B, A, C)).containsExactly(C, B, A);
  }

  @Test
  void aTimeOutCountsAsTheTimeOutItself() {
    DynamicSnitchSelector snitch = selector(MILLI, 0);
    snitch.answered(A, 1, 10 * MILLI, view);
    snitch.timedOut(B, 1);
    update(snitch);
    assertThat(snitch.score(B)).isEqualTo(1);
    assertThat(snitch.score(A)).isEqualTo(0.002);
  }

  @Test
  void scoresChangeOnlyWithTheTimerAndAreDroppedWithTheReset() {
    DynamicSnitchSelector snitch = selector(MILLI, 0);
    snitch.answered(A, 1, 10 * MILLI, view);
    now.addAndGet(99 * MILLI);
    snitch.tick(view, now.get());
    assertThat(snitch.score(A)).isZero();
    now.addAndGet(MILLI);
    snitch.tick(view, now.get());
    assertThat(snitch.score(A)).isEqualTo(1);
    now.addAndGet(600_000 * MILLI);
    snitch.tick(view, now.get());
    assertThat(snitch.score(A)).isZero();
  }

  private DynamicSnitchSelector scored(long rounding, double badness) {
    DynamicSnitchSelector snitch = selector(rounding, badness);
    snitch.answered(A, 1, 10 * MILLI + 900_000, view);
    snitch.answered(B, 1, 20 * MILLI, view);
    snitch.answered(C, 1, 40 * MILLI, view);
    update(snitch);
    return snitch;
  }

  private void update(DynamicSnitchSelector snitch) {
    now.addAndGet(100 * MILLI);
    snitch.tick(view, now.get());
  }

  private DynamicSnitchSelector selector(long rounding, double badness) {
    return new DynamicSnitchSelector(
        rounding, badness, 100 * MILLI, 600_000 * MILLI, 5_000 * MILLI, now::get, new SplitMix(1));
  }

  private int[] rank(DynamicSnitchSelector snitch, int... replicas) {
    Request request = Requests.single(new SplittableRandom(1), replicas);
    snitch.rank(request, 0, 0, replicas.length, view);
    return Requests.ranking(request, 0);
  }
}
