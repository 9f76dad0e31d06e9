/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AskedForTest {
  private static final long AGAIN = 100;

  private final AskedFor<Integer> asked = new AskedFor<>(AGAIN, 3);

  @Test
  void anEntryIsAskedForAgainAfterAWhile() {
    assertThat(asked.claim(1, 7, 1_000)).isTrue();
    assertThat(asked.claim(1, 7, 1_099)).isFalse();
    assertThat(asked.claim(1, 7, 1_100)).isTrue();
    assertThat(asked.claim(1, 7, 1_199)).isFalse();
  }

  @Test
  void aNewEntryOfAKeyIsAskedForAtOnce() {
    assertThat(asked.claim(1, 7, 1_000)).isTrue();
    assertThat(asked.claim(1, 8, 1_001)).isTrue();
    assertThat(asked.claim(1, 8, 1_002)).isFalse();
  }

  @Test
  void beyondTheBoundTheOldestIsForgotten() {
    for (int key = 0; key < 4; key++) {
      assertThat(asked.claim(key, 7, key)).isTrue();
    }
    assertThat(asked.claim(3, 7, 5)).isFalse();
    assertThat(asked.claim(1, 7, 5)).isFalse();
    assertThat(asked.claim(0, 7, 5)).isTrue();
    assertThat(asked.size()).isEqualTo(3);
  }

  @Test
  void keysThatMayBeAskedAgainAreForgotten() {
    for (int key = 0; key < 3; key++) {
      assertThat(asked.claim(key, 7, 0)).isTrue();
    }
    assertThat(asked.claim(9, 7, AGAIN)).isTrue();
    assertThat(asked.size()).isEqualTo(1);
  }
}
