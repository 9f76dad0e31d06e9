/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Compares fan-outs with their formulas and with constants computed by hand. */
class WidthTableTest {
  @Test
  void zetaMeetsMeanAndSingleShare() {
    WidthTable table = WidthTable.of(new Fanout.Zeta(0.6, 8.6, 100));
    double[] p = table.probabilities();
    assertThat(p).hasSize(100);
    assertThat(p[0]).isEqualTo(0.6);
    assertThat(Arrays.stream(p).sum()).isCloseTo(1, within(1e-12));
    assertThat(table.mean()).isCloseTo(8.6, within(1e-9));
    assertThat(p[1] / p[3]).isCloseTo(p[2] / p[5], within(1e-9));
  }

  @Test
  void publishedExponentsAreFound() {
    assertThat(exponent(new Fanout.Zeta(0.6, 8.6, 2000))).isCloseTo(1.797, within(0.0006));
    assertThat(exponent(new Fanout.Zeta(0.6, 0.6 + 0.4 * 8.6, 2000)))
        .isCloseTo(2.109, within(0.0006));
  }

  @Test
  void publishedPercentilesAreFound() {
    double[] p = WidthTable.of(new Fanout.Zeta(0.6, 8.6, 2000)).probabilities();
    assertThat(quantileOfMulti(p, 0.5)).isEqualTo(4);
    assertThat(quantileOfMulti(p, 0.9)).isEqualTo(27);
    assertThat(quantileOfMulti(p, 0.99)).isBetween(340, 360);
  }

  @Test
  void lognormalMatchesFacebooksMultigets() {
    WidthTable table = WidthTable.of(new Fanout.Lognormal(1.802, 1.659, 20_000));
    assertThat(table.mean()).isCloseTo(24.0, within(0.3));
    double above95 = Arrays.stream(table.probabilities()).skip(95).sum();
    assertThat(above95).isCloseTo(0.049, within(0.001));
  }

  @Test
  void fixedIsOneWidth() {
    WidthTable table = WidthTable.of(new Fanout.Fixed(7));
    assertThat(table.mean()).isEqualTo(7);
    assertThat(table.probabilities()[6]).isEqualTo(1);
  }

  @Test
  void unreachableMeansAreRefused() {
    assertThatThrownBy(() -> new Fanout.Zeta(0.6, 1.2, 100))
        .hasMessageContaining("must lie between 2 and 51");
    assertThatThrownBy(() -> new Fanout.Zeta(0.6, 30, 100))
        .hasMessageContaining("a mean of 30.0 with 0.6 single and at most 100 reads");
    assertThatThrownBy(() -> new Fanout.Zeta(1, 8.6, 100)).hasMessageContaining("[0, 1)");
    assertThatThrownBy(() -> new Fanout.Lognormal(10, 0.5, 244))
        .hasMessage(
            "at least 245 reads with mu 10.0 and sigma 0.5, because smaller requests do not occur");
    assertThat(WidthTable.of(new Fanout.Lognormal(10, 0.5, 245)).probabilities()[244]).isEqualTo(1);
    assertThatThrownBy(() -> new Fanout.Lognormal(50, 0.1, 10)).hasMessageContaining("at least");
    assertThatThrownBy(() -> new Fanout.Lognormal(0, 1, 0)).hasMessageContaining("at least 1");
  }

  private static double exponent(Fanout.Zeta spec) {
    double[] p = WidthTable.of(spec).probabilities();
    return Math.log(p[1] / p[3]) / Math.log(2);
  }

  private static int quantileOfMulti(double[] p, double q) {
    double sum = 0;
    for (int reads = 2; reads <= p.length; reads++) {
      sum += p[reads - 1] / (1 - p[0]);
      if (sum >= q) {
        return reads;
      }
    }
    throw new AssertionError("the table sums to " + sum);
  }
}
