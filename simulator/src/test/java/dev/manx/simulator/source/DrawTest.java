/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.source;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DrawTest {
  /** A coordinator with work of its own plans the copy. */
  @Test
  void aCopyIsEqual() {
    Draw draw = new Draw();
    draw.begin(3, true);
    draw.staysPaged(true);
    draw.add(17, new int[] {2, 0, 1}, 500, true, 40, 50);
    draw.asks(0, 2);
    draw.otherService(0, 1, 60);
    Draw copy = new Draw();
    copy.copy(draw);
    assertThat(copy).usingRecursiveComparison().isEqualTo(draw);
    assertThat(copy.staysPaged()).isTrue();
    draw.begin(1, false);
    copy.copy(draw);
    assertThat(copy.staysPaged()).isFalse();
  }
}
