/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LatencyHistogramTest {
  private static final long MILLI = 1_000_000;

  /** A hundredth of all latencies, in buckets of their own; one of them is unknown. */
  @Test
  void divisionKeepsTheTail() {
    LatencyHistogram latencies = new LatencyHistogram();
    latencies.add(MILLI, 9_900);
    double nanos = 10 * MILLI;
    for (int i = 0; i < 99; i++) {
      latencies.add(Math.round(nanos), 1);
      nanos *= 1.15;
    }
    latencies.addBeyond(1);
    long before = latencies.quantile(0.995);
    latencies.divide(2);
    assertThat(latencies.total()).isEqualTo(5_000);
    assertThat(latencies.quantile(0.989)).isLessThan(2 * MILLI);
    assertThat((double) latencies.quantile(0.995) / before).isBetween(0.8, 1.2);
    latencies.divide(5_000);
    assertThat(latencies.total()).isEqualTo(1);
  }
}
