/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.policy.config.ConfigException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Shares on the command line. */
class TypedShareTest {
  @ParameterizedTest
  @CsvSource({"1%,0.01", "100%,1", "0.5%,0.005", "0.1,0.1", "0%,0", "33.3 %,0.333"})
  void aPercentageOrADecimalIsAFraction(String text, double share) {
    assertThat(TypedShare.of("SHARE", text)).hasValue(share);
  }

  /** It may be meant as 1%, and meant all requests. */
  @ParameterizedTest
  @ValueSource(strings = {"1", "1.0"})
  void oneAloneIsNotUnderstood(String text) {
    assertThatThrownBy(() -> TypedShare.of("SHARE", text))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("SHARE = '" + text + "' is invalid; allowed: 1% or 100%?");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "5", "50"})
  void aWholeNumberLacksItsSign(String text) {
    assertThatThrownBy(() -> TypedShare.of("SHARE", text))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("allowed: a share with a percent sign");
  }
}
