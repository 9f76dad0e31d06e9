/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SignsTest {
  private static final long SECOND = 1_000_000_000L;

  private static final List<Integer> ALL = List.of(0, 1, 2);

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
    signs.silent(0, 6);
    assertThat(signs.isWithout(0, 5 + Signs.WITHOUT_NANOS)).isTrue();
    assertThat(signs.isWithout(0, 6 + Signs.WITHOUT_NANOS)).as("read no more").isFalse();
    signs.silent(0, SECOND);
    assertThat(signs.isWithout(0, SECOND + Signs.WITHOUT_NANOS)).as("read again").isTrue();
  }

  @Test
  void ofTheAnswersOfANodeWithManxOnlySomeCarryFacts() {
    signs.heard(0, 0);
    signs.silent(0, SECOND);
    assertThat(signs.isWithout(0, SECOND)).isFalse();
    signs.silent(0, 2 * SECOND);
    assertThat(signs.isWithout(0, 2 * SECOND)).as("off since").isTrue();
    signs.heard(0, 3 * SECOND);
    assertThat(signs.isWithout(0, 3 * SECOND)).as("on again").isFalse();
  }

  @Test
  void oneNodeWithoutIsEnough() {
    signs.heard(0, 0);
    signs.silent(2, 0);
    signs.look(List.of(0, 1), 0);
    assertThat(signs.anyWithout()).as("of the first two").isFalse();
    signs.look(ALL, 0);
    assertThat(signs.anyWithout()).isTrue();
    signs.look(ALL, 2 * SECOND + Signs.WITHOUT_NANOS);
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
