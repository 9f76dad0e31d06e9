/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.warm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class TrendTest {
  private final Trend trend = new Trend();

  /** A machine of an earlier generation never gets as fast as the others. */
  @Test
  void aNodeThatStaysSlowerIsFound() {
    for (int reading = 0; reading < 5 * Trend.READINGS; reading++) {
      trend.add(1.5 + (reading < Trend.READINGS ? 2 : 0) + (reading % 2 == 0 ? 0.1 : -0.1));
    }
    assertThat(trend.stays().orElseThrow()).isCloseTo(1.5, within(0.01));
  }

  @Test
  void aNodeThatStillGetsFasterIsNot() {
    for (int reading = 0; reading < 5 * Trend.READINGS; reading++) {
      trend.add(1 + 4 * Math.pow(0.99, reading));
    }
    assertThat(trend.stays()).isEmpty();
  }

  @Test
  void aFewReadingsShowNothing() {
    for (int reading = 1; reading < 2 * Trend.READINGS; reading++) {
      trend.add(2);
    }
    assertThat(trend.stays()).isEmpty();
  }
}
