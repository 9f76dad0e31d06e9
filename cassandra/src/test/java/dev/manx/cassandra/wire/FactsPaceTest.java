/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FactsPaceTest {
  private final Signs signs = new Signs(3);
  private final FactsPace pace = new FactsPace(3, signs);

  @Test
  void theFirstAnswerCarriesFacts() {
    assertThat(pace.isDue(0, false, -5)).isTrue();
    assertThat(pace.isDue(0, false, -4)).isFalse();
    assertThat(pace.isDue(1, false, -4)).as("each peer has its own pace").isTrue();
  }

  @Test
  void tenASecondWhileNothingQueues() {
    assertThat(count(0, false)).isEqualTo(10);
  }

  @Test
  void aPeerWithManxGetsThemEveryFewMillisecondsWhileSomethingQueues() {
    signs.heard(0, false, 0);
    assertThat(count(0, true)).isEqualTo(500);
  }

  @Test
  void aPeerWithoutManxAlwaysGetsThemAtTheCalmPace() {
    assertThat(count(0, true)).isEqualTo(10);
  }

  @Test
  void aPeerThatFellSilentCountsAsWithoutManx() {
    signs.heard(0, false, 0);
    long later = Signs.PEER_NANOS;
    assertThat(pace.isDue(0, true, later)).isTrue();
    assertThat(pace.isDue(0, true, later + FactsPace.BUSY_NANOS)).isFalse();
  }

  @Test
  void forgetsANodeThatLeft() {
    signs.heard(0, false, 0);
    assertThat(pace.isDue(0, true, 0)).isTrue();
    signs.forget(0);
    pace.forget(0);
    assertThat(pace.isDue(0, true, 1)).as("the id's next owner").isTrue();
    assertThat(pace.isDue(0, true, 1 + FactsPace.BUSY_NANOS)).isFalse();
  }

  /** Answers with facts in a second of answers every 100 microseconds. */
  private int count(int node, boolean busy) {
    int due = 0;
    for (int i = 0; i < 10_000; i++) {
      due += pace.isDue(node, busy, i * 100_000L) ? 1 : 0;
    }
    return due;
  }
}
