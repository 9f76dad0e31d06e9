/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import static dev.manx.shares.CacheFixtures.MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which failures count as misses. */
class AnswerTimesTest {
  private final AnswerTimes times = new AnswerTimes(5_000 * MS);

  private void answers(int count, long nanos) {
    for (int i = 0; i < count; i++) {
      times.answered(nanos);
    }
  }

  /** Lognormal times of coefficient of variation 0.8 and mean 10 ms, the same for failures. */
  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.6, 0.9})
  void aBackendWhoseFailuresTakeAsLongAsItsAnswersLooksAsFastAsItIs(double failing) {
    Random random = new Random(7);
    double sigma = Math.sqrt(Math.log(1 + 0.8 * 0.8));
    double sum = 0;
    long counted = 0;
    for (int i = 0; i < 400_000; i++) {
      long nanos =
          Math.round(10 * MS * Math.exp(sigma * random.nextGaussian() - sigma * sigma / 2));
      boolean counts = true;
      if (random.nextDouble() < failing) {
        counts = times.failed(nanos);
      } else {
        times.answered(nanos);
      }
      sum += counts ? nanos : 0;
      counted += counts ? 1 : 0;
    }
    assertThat(sum / counted / MS).isEqualTo(10, within(0.5));
  }

  @Test
  void failuresAtOnceDoNotCount() {
    answers(20, 10 * MS);
    for (int i = 0; i < 100; i++) {
      assertThat(times.failed(MS)).isFalse();
    }
  }

  /** For example, a backend that rejects some requests after a part of its work. */
  @Test
  void failuresThatAreQuickerThanAnswersDoNotCount() {
    answers(20, 10 * MS);
    for (int i = 0; i < 100; i++) {
      assertThat(times.failed(5 * MS)).isFalse();
    }
    assertThat(times.failed(9 * MS)).as("one of many that are quicker").isFalse();
    assertThat(times.failed(30 * MS)).as("three times the mean").isTrue();
  }

  @Test
  void aTimeOutOfTheBackendsClientCounts() {
    answers(20, 10 * MS);
    for (int i = 0; i < 100; i++) {
      // Together with failures at once.
      assertThat(times.failed(12 * MS)).isTrue();
      assertThat(times.failed(0)).isFalse();
    }
  }

  @Test
  void withoutAnswersOnlyTheLongestTimeCounts() {
    assertThat(times.failed(4_999 * MS)).isFalse();
    assertThat(times.failed(5_000 * MS)).isTrue();
  }
}
