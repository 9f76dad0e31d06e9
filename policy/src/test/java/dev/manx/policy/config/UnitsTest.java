/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitsTest {
  /** Nodes show a share as it was set: 33.3% must not become 0.33299999999999996. */
  @ParameterizedTest
  @CsvSource({"33.3%, 0.333", "0.7%, 0.007", "5%, 0.05", "12.5%, 0.125", "100%, 1", "0.29, 0.29"})
  void aShareInPercentIsItsDecimalFraction(String text, double fraction) {
    assertThat(Units.fraction(text)).hasValue(fraction);
  }

  @Test
  void percentAndFractionAreTheSameShare() {
    for (int permille = 0; permille <= 1_000; permille++) {
      String percent = permille / 10 + "." + permille % 10 + "%";
      String fraction = permille / 1_000 + "." + "%03d".formatted(permille % 1_000);
      assertThat(Units.fraction(percent)).as(percent).isEqualTo(Units.fraction(fraction));
    }
  }
}
