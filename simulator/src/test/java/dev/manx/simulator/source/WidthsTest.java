/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fan-outs have the requested mean and shape. */
@Timeout(60)
class WidthsTest {
  @Test
  void geometricFallsByAConstantRatio() {
    Widths widths = Widths.geometric(10, 1_000);
    assertThat(widths.mean()).isCloseTo(10, within(1e-6));
    double[] p = widths.probability();
    assertThat(Arrays.stream(p).sum()).isCloseTo(1, within(1e-12));
    // Uncut, the mean is 1 / (1 - ratio).
    assertThat(p[1] / p[0]).isCloseTo(0.9, within(1e-6));
    assertThat(p[99] / p[98]).isCloseTo(0.9, within(1e-6));
  }

  /** A mean close to the maximum puts nearly all requests there, but no share below zero. */
  @Test
  void lognormalHasNoNegativeShare() {
    double[] p = Widths.lognormal(100, 1, 100).probability();
    assertThat(Arrays.stream(p).min().orElseThrow()).isNotNegative();
    assertThat(Arrays.stream(p).sum()).isCloseTo(1, within(1e-12));
  }

  @Test
  void lognormalHasItsMeanAndItsSpread() {
    Widths widths = Widths.lognormal(10, 1, 500);
    assertThat(widths.mean()).isCloseTo(10, within(1e-6));
    double[] p = widths.probability();
    assertThat(Arrays.stream(p).sum()).isCloseTo(1, within(1e-12));
    // Uncut and unrounded the median is the mean times e^-1/2: 9.5 / 1.65 = 5.8 before rounding up.
    double below = 0;
    int median = 0;
    while (below < 0.5) {
      below += p[median++];
    }
    assertThat(median).isEqualTo(6);
  }

  @Test
  void listedSharesAreTaken() {
    Widths widths = Widths.listed(Map.of(1, 60.0, 10, 30.0, 100, 10.0));
    assertThat(widths.mean()).isCloseTo(0.6 + 3 + 10, within(1e-12));
    assertThat(widths.probability()).hasSize(100);
  }

  @Test
  void meansOutOfReachAreRefused() {
    assertThatThrownBy(() -> Widths.geometric(60, 100)).hasMessageContaining("at most 100 reads");
    assertThatThrownBy(() -> Widths.lognormal(101, 1, 100)).hasMessageContaining("101");
    assertThatThrownBy(() -> Widths.listed(Map.of(3, 0.0))).hasMessageContaining("no requests");
  }
}
