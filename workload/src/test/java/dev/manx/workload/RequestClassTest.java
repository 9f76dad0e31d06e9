/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RequestClassTest {
  private static final List<RequestClass> EVERY = RequestClass.OF_REQUESTS;

  @Test
  void thresholds() {
    assertThat(classes(1, false)).containsExactly("all", "single", "small");
    assertThat(classes(2, false)).containsExactly("all", "narrow", "small");
    assertThat(classes(10, true)).containsExactly("all", "narrow", "large");
    assertThat(classes(11, true)).containsExactly("all", "wide", "large");
  }

  @Test
  void aRequestHasOneWidthWhateverTheThreshold() {
    for (int threshold = 1; threshold < 5; threshold++) {
      for (int reads = 1; reads < 8; reads++) {
        List<RequestClass> widths =
            List.of(RequestClass.SINGLE, RequestClass.NARROW, RequestClass.WIDE);
        assertThat(RequestClass.of(request(reads, false), widths, threshold)).hasSize(1);
      }
    }
  }

  @Test
  void labels() {
    assertThat(RequestClass.ofLabel("wide")).isEqualTo(RequestClass.WIDE);
    assertThatThrownBy(() -> RequestClass.ofLabel("Wide"))
        .hasMessage(
            "unknown request class 'Wide'; allowed are all, single, narrow, wide, small, large");
  }

  private static List<String> classes(int reads, boolean large) {
    return RequestClass.of(request(reads, large), EVERY, 10).stream()
        .map(RequestClass::label)
        .toList();
  }

  private static PlannedRequest request(int reads, boolean large) {
    return new PlannedRequest(0, 0, large, IntStream.range(0, reads).toArray());
  }
}
