/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.contention;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class RateCalibrationTest {
  /** A share of a core is few operations if each writes a mebibyte. */
  @ParameterizedTest
  @CsvSource({"23456, 23500", "1049, 1000", "449, 450", "149, 150", "49.4, 49", "3.6, 4", "0.2, 1"})
  void lowRatesAreKeptToo(double measured, double rate) {
    assertThat(RateCalibration.rounded(measured)).isEqualTo(rate);
  }
}
