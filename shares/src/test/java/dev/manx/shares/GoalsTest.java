/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GoalsTest {
  @Test
  void percentilesAreReadAsQuantiles() {
    assertThat(Goals.parse("p50,p90", 0.005).quantiles()).containsExactly(0.5, 0.9);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "p", ",", "p99,", "99", "p0", "p100", "p99d", "pNaN", "q99"})
  void otherTextsAreRefused(String text) {
    assertThatThrownBy(() -> Goals.parse(text, 0.005))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("goals are percentiles such as p99 or p90,p99, not '" + text + "'");
  }
}
