/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The format of milliseconds for operators. */
class AdviceTableTest {
  @ParameterizedTest
  @CsvSource({
    "0.01234, 0.0123",
    "7.344, 7.34",
    "21.78, 21.8",
    "999.4, 999",
    "999.7, 1000",
    "1234.5, 1235",
    "60012, 60012"
  })
  void secondsAreNotShownInPowersOfTen(double millis, String shown) {
    assertThat(AdviceTable.millis(millis)).isEqualTo(shown);
  }
}
