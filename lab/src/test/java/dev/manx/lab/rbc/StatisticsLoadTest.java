/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.rbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class StatisticsLoadTest {
  @Test
  void everyServerHearsOfEveryRequestButThoseOfTheLastMoment() throws Exception {
    StatisticsLoad.Result result =
        new StatisticsLoad(4, 500, Duration.ofMillis(250), Duration.ofSeconds(1)).run();
    assertThat(result.failures()).isZero();
    assertThat(result.exchanges()).isEqualTo(4 * 5);
    assertThat(result.requestsSent()).isEqualTo(4 * 500);
    // the first one to finish misses the last windows of the three after it
    assertThat(result.leastSeen()).isBetween(2_000L - 3 * 125, 2_000L);
    assertThat(result.bytesPerSecondOfOne()).isPositive();
  }
}
