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
  void anUnknownNodeIsNeitherAPeerNorWithout() {
    assertThat(signs.isPeer(0, -5)).isFalse();
    assertThat(signs.acts(0, -5)).isFalse();
    assertThat(signs.isWithout(0, -5)).isFalse();
  }

  @Test
  void aPeerThatFellSilentIsNotAPeerAfterAMinute() {
    signs.heard(0, true, 0);
    assertThat(signs.isPeer(0, Signs.PEER_NANOS - 1)).isTrue();
    assertThat(signs.acts(0, Signs.PEER_NANOS - 1)).isTrue();
    assertThat(signs.isPeer(0, Signs.PEER_NANOS)).isFalse();
    assertThat(signs.acts(0, Signs.PEER_NANOS)).isFalse();
  }

  @Test
  void aPeerThatDoesNotActIsStillAPeer() {
    signs.heard(0, false, 0);
    signs.silent(0, 0);
    signs.silent(0, 2 * SECOND);
    assertThat(signs.isPeer(0, 2 * SECOND)).isTrue();
    assertThat(signs.acts(0, 2 * SECOND)).isFalse();
    assertThat(signs.isWithout(0, 2 * SECOND)).isTrue();
  }

  @Test
  void aNodeThatAnswersForASecondWithoutASignIsWithoutForTenSeconds() {
    signs.silent(0, 5);
    assertThat(signs.isWithout(0, 5)).isFalse();
    signs.silent(0, 5 + SECOND);
    assertThat(signs.isWithout(0, 5 + SECOND)).as("a second").isFalse();
    signs.silent(0, 5 + 2 * SECOND);
    assertThat(signs.isWithout(0, 5 + 2 * SECOND)).isTrue();
    assertThat(signs.isWithout(1, 5 + 2 * SECOND)).isFalse();
    long end = 5 + 2 * SECOND + Signs.WITHOUT_NANOS;
    assertThat(signs.isWithout(0, end)).isTrue();
    assertThat(signs.isWithout(0, end + 1)).as("no longer read").isFalse();
  }

  @Test
  void anOldSilenceDoesNotAffectTheNextAnswer() {
    signs.silent(0, 0);
    long later = 2 * Signs.WITHOUT_NANOS;
    signs.silent(0, later);
    assertThat(signs.isWithout(0, later)).isFalse();
    signs.silent(0, later + 2 * SECOND);
    assertThat(signs.isWithout(0, later + 2 * SECOND)).isTrue();
  }

  @Test
  void onlySomeAnswersOfANodeWithManxCarryFacts() {
    signs.heard(0, true, 0);
    signs.silent(0, 1);
    signs.silent(0, SECOND);
    assertThat(signs.isWithout(0, SECOND)).isFalse();
    signs.silent(0, 2 * SECOND);
    assertThat(signs.isWithout(0, 2 * SECOND)).as("off since").isTrue();
    signs.heard(0, true, 3 * SECOND);
    assertThat(signs.isWithout(0, 3 * SECOND)).as("on again").isFalse();
    signs.silent(0, 3 * SECOND + 1);
    assertThat(signs.isWithout(0, 3 * SECOND + 1)).as("on since").isFalse();
  }

  @Test
  void oneNodeWithoutIsEnough() {
    signs.heard(0, true, 0);
    silentUntil(2 * SECOND);
    signs.look(List.of(0, 1), ALL, 2 * SECOND);
    assertThat(signs.anyWithout(true)).as("of the first two").isFalse();
    assertThat(signs.anyWithout(false)).as("of the other datacenter").isTrue();
    signs.look(ALL, ALL, 2 * SECOND);
    assertThat(signs.anyWithout(true)).isTrue();
    signs.look(ALL, ALL, 3 * SECOND + Signs.WITHOUT_NANOS + Signs.SETTLED_NANOS);
    assertThat(signs.anyWithout(true)).isFalse();
  }

  @Test
  void anIntermittentNodeCountsAsWithoutUntilItHasStayed() {
    silentUntil(2 * SECOND);
    signs.look(ALL, ALL, 2 * SECOND);
    signs.heard(2, true, 3 * SECOND);
    signs.look(ALL, ALL, 3 * SECOND);
    assertThat(signs.isWithout(2, 3 * SECOND)).isFalse();
    assertThat(signs.anyWithout(true)).as("just returned").isTrue();
    signs.look(ALL, ALL, 2 * SECOND + Signs.SETTLED_NANOS);
    assertThat(signs.anyWithout(true)).as("has stayed").isFalse();
  }

  private void silentUntil(long nanos) {
    for (long at = 0; at <= nanos; at += SECOND / 5) {
      signs.silent(2, at);
    }
  }

  @Test
  void aNodeThatRestartsHasToShowASignAgain() {
    signs.heard(0, true, 0);
    assertThat(signs.heardWithin(0, 5, 4)).isTrue();
    assertThat(signs.heardWithin(0, 5, 5)).isFalse();
    signs.ended(0);
    assertThat(signs.isPeer(0, 1)).isFalse();
    assertThat(signs.acts(0, 1)).isFalse();
    assertThat(signs.heardWithin(0, 5, 1)).isFalse();
  }

  @Test
  void knowsWhenANodeServedAReadToATenthOfAMillisecond() {
    assertThat(signs.answeredWithin(1, SECOND, SECOND)).as("never").isFalse();
    signs.answered(1, SECOND);
    signs.answered(1, SECOND + Signs.ANSWER_GRAIN_NANOS - 1);
    assertThat(signs.answeredWithin(1, 5, SECOND + 5)).isTrue();
    assertThat(signs.answeredWithin(1, 5, SECOND + 6)).isFalse();
    signs.answered(1, SECOND + Signs.ANSWER_GRAIN_NANOS);
    assertThat(signs.answeredWithin(1, 5, SECOND + Signs.ANSWER_GRAIN_NANOS)).isTrue();
    assertThat(signs.answeredWithin(2, SECOND, SECOND)).as("another node").isFalse();
    signs.ended(1);
    assertThat(signs.answeredWithin(1, SECOND, SECOND)).as("it has restarted").isFalse();
  }

  @Test
  void forgetsANodeThatLeft() {
    signs.heard(0, true, 0);
    silentUntil(2 * SECOND);
    signs.forget(0);
    signs.forget(2);
    assertThat(signs.isPeer(0, 1)).as("the id's next owner").isFalse();
    assertThat(signs.acts(0, 1)).as("the id's next owner").isFalse();
    assertThat(signs.isWithout(2, 2 * SECOND)).as("the id's next owner").isFalse();
  }
}
