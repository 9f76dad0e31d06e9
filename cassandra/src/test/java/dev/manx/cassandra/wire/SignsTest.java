/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SignsTest {
  private static final long SECOND = 1_000_000_000L;

  private final Signs signs = new Signs(3);

  @Test
  void aNodeOfWhichNothingIsKnownIsNeitherAPeerNorWithout() {
    assertThat(signs.isPeer(0, -5)).isFalse();
    assertThat(signs.isWithout(0, -5)).isFalse();
  }

  @Test
  void aPeerThatFellSilentCountsAsOneWithoutAfterAMinute() {
    signs.heard(0, 0);
    assertThat(signs.isPeer(0, Signs.PEER_NANOS - 1)).isTrue();
    assertThat(signs.isPeer(0, Signs.PEER_NANOS)).isFalse();
  }

  @Test
  void aNodeThatAnswersWithoutASignIsWithoutForTenSeconds() {
    signs.silent(0, 5);
    assertThat(signs.isWithout(0, 5)).isTrue();
    assertThat(signs.isWithout(1, 5)).isFalse();
    assertThat(signs.isWithout(0, 5 + Signs.WITHOUT_NANOS)).isTrue();
    assertThat(signs.isWithout(0, 6 + Signs.WITHOUT_NANOS)).as("read no more").isFalse();
  }

  @Test
  void ofTheAnswersOfANodeWithManxOnlySomeCarryFacts() {
    signs.heard(0, 0);
    signs.silent(0, SECOND);
    assertThat(signs.isWithout(0, SECOND)).isFalse();
    signs.silent(0, SECOND + 1);
    assertThat(signs.isWithout(0, SECOND + 1)).as("off since").isTrue();
    signs.heard(0, 2 * SECOND);
    assertThat(signs.isWithout(0, 2 * SECOND)).as("on again").isFalse();
  }

  @Test
  void oneNodeWithoutIsEnough() {
    signs.heard(0, 0);
    signs.silent(2, 0);
    signs.look(2, 0);
    assertThat(signs.anyWithout()).as("of the first two").isFalse();
    signs.look(3, 0);
    assertThat(signs.anyWithout()).isTrue();
    signs.look(3, SECOND + Signs.WITHOUT_NANOS);
    assertThat(signs.anyWithout()).isFalse();
  }

  @Test
  void forgetsANodeThatLeft() {
    signs.heard(0, 0);
    signs.silent(1, 0);
    signs.forget(0);
    signs.forget(1);
    assertThat(signs.isPeer(0, 1)).as("the id's next owner").isFalse();
    assertThat(signs.isWithout(1, 1)).as("the id's next owner").isFalse();
  }
}
