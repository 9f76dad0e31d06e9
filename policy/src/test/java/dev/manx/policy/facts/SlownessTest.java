/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SlownessTest {
  @Test
  void saysNothingBeforeEnoughReads() {
    Slowness slowness = new Slowness();
    for (int i = 1; i < Slowness.ENOUGH; i++) {
      slowness.measured(20, 10);
    }
    assertThat(slowness.thousandths()).isZero();
    slowness.measured(20, 10);
    assertThat(slowness.thousandths()).isEqualTo(2_000);
  }

  @Test
  void sizesCancel() {
    Slowness slowness = new Slowness();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 1_000; i++) {
      long cost = 100L << random.nextInt(10);
      slowness.measured(3 * cost, cost);
    }
    assertThat(slowness.thousandths()).isEqualTo(3_000);
  }

  @Test
  void readsWithoutForecastDoNotCount() {
    Slowness slowness = new Slowness();
    for (int i = 0; i < 100; i++) {
      slowness.measured(1_000_000, 0);
      slowness.measured(10, 10);
    }
    assertThat(slowness.thousandths()).isEqualTo(1_000);
  }

  @Test
  void followsAChangeWithinSomeHundredReads() {
    Slowness slowness = new Slowness();
    for (int i = 0; i < 10_000; i++) {
      slowness.measured(10, 10);
    }
    for (int i = 0; i < 2 * Slowness.READS; i++) {
      slowness.measured(40, 10);
    }
    // 1 + 3 * (1 - e^-2)
    assertThat((double) slowness.thousandths()).isCloseTo(3_594, within(10.0));
  }

  @Test
  void exponentialServiceTimesScatterItByFewPercent() {
    long seed = 7;
    SplittableRandom random = new SplittableRandom(seed);
    Slowness slowness = new Slowness();
    double squares = 0;
    int looks = 400;
    for (int look = 0; look < looks; look++) {
      for (int i = 0; i < 500; i++) {
        slowness.measured(Math.round(-1e6 * Math.log(1 - random.nextDouble())) + 1, 1_000_000);
      }
      double off = slowness.thousandths() / 1e3 - 1;
      squares += off * off / looks;
    }
    // The standard deviation of such a mean is the root of 1 / (2 * 1024), 0.022.
    assertThat(Math.sqrt(squares)).as("seed %d", seed).isBetween(0.015, 0.030);
  }
}
