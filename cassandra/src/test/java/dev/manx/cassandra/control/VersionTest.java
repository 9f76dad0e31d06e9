/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.control;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VersionTest {
  @ParameterizedTest
  @CsvSource({
    "0.1.0,1000",
    "1.2.3,1002003",
    "1.2.3-SNAPSHOT,1002003",
    "10.0.12,10000012",
    "unpackaged,0",
    "1.2,0"
  })
  void asANumberNewerIsGreater(String version, long number) {
    assertThat(Version.number(version)).isEqualTo(number);
  }
}
