/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.control;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
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

  /** The alert on nodes that differ in version compares these numbers. */
  @Test
  void buildsOfTwoCommitsDifferAndALaterVersionIsGreater() {
    assertThat(Version.number("99.999.998 (abc12345)"))
        .isNotEqualTo(Version.number("99.999.998 (abc12445)"))
        .isEqualTo(Version.number("99.999.998 (abc12345)"))
        .isBetween(99_999_998.0, 99_999_999.0);
    assertThat(Version.number("0.1.0 (ffffffff)")).isLessThan(Version.number("0.1.1 (00000000)"));
  }
}
