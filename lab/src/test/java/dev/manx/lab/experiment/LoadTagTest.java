/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadTagTest {
  @ParameterizedTest
  @ValueSource(strings = {"70%", "120/s", "16 clients", "b1-slow"})
  void theReportReadsTheLoadsThatAreWritten(String load) {
    String tag = LoadTag.ofLog(load, "s1r3");
    assertThat(tag).doesNotContain(" ", ",").endsWith(";s1r3");
    assertThat(LoadTag.isOf(tag, load)).isTrue();
    assertThat(LoadTag.isOf(tag, load + "0")).isFalse();
    String entity = LoadTag.ofEntity("node1", load);
    assertThat(LoadTag.load(entity, List.of("other", load))).isEqualTo(load);
    assertThat(LoadTag.entity(entity, List.of("other", load))).isEqualTo("node1");
  }

  @Test
  void namesWithoutALoadStayAsTheyAre() {
    assertThat(LoadTag.isOf(null, "70%")).isFalse();
    assertThat(LoadTag.isOf("s1r3", "70%")).isFalse();
    assertThat(LoadTag.load("client", List.of("70%"))).isEmpty();
    assertThat(LoadTag.entity("a@b", List.of("70%"))).isEqualTo("a@b");
  }
}
