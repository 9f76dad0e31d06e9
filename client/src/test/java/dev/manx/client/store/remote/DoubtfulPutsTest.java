/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** When a key gets a new name, and when it may have its plain name back. */
class DoubtfulPutsTest {
  private static final Set<String> K = Set.of("k");

  private final DoubtfulPuts puts = new DoubtfulPuts("manx:1:");

  private void many(int more) {
    for (int i = 0; i < more; i++) {
      puts.giveUp(puts.begin(Set.of("other" + i)));
    }
  }

  @Test
  void anOpenPutGivesAnInvalidatedKeyANewName() {
    assertThat(puts.name("k")).isEqualTo("manx:1:k");
    DoubtfulPuts.Put put = puts.begin(K);
    assertThat(put.name("k")).isEqualTo("manx:1:k");
    assertThat(puts.invalidate(K)).containsExactly("manx:1:k");
    assertThat(puts.name("k")).isEqualTo("manx:1.1:k");
    assertThat(puts.invalidate(K)).as("no put under this name").containsExactly("manx:1.1:k");
    assertThat(puts.name("k")).isEqualTo("manx:1.1:k");
    DoubtfulPuts.Put second = puts.begin(K);
    assertThat(second.name("k")).isEqualTo("manx:1.1:k");
    assertThat(puts.begin(K).name("k")).isEqualTo("manx:1.2:k");
    assertThat(second.name("k")).isEqualTo("manx:1.1:k");
  }

  @Test
  void aSettledPutNeedsNoNewName() {
    DoubtfulPuts.Put arrived = puts.begin(K);
    puts.settle(arrived);
    DoubtfulPuts.Put late = puts.begin(K);
    assertThat(late.name("k")).isEqualTo("manx:1:k");
    puts.giveUp(late);
    puts.settle(late);
    puts.settle(late);
    puts.invalidate(K);
    assertThat(puts.name("k")).isEqualTo("manx:1:k");
    DoubtfulPuts.Put lost = puts.begin(K);
    puts.giveUp(lost);
    puts.invalidate(K);
    assertThat(puts.name("k")).isEqualTo("manx:1.1:k");
  }

  @Test
  void aLaterAnswerOnTheSameConnectionSettlesAPut() {
    DoubtfulPuts.Put put = puts.begin(K);
    puts.fail(put, 3);
    DoubtfulPuts.GivenUp before = puts.givenUp();
    assertThat(before.connection()).isEqualTo(3);
    DoubtfulPuts.Put later = puts.begin(Set.of("l"));
    puts.fail(later, 3);
    puts.settle(before);
    puts.invalidate(List.of("k", "l"));
    assertThat(puts.name("k")).isEqualTo("manx:1:k");
    assertThat(puts.name("l")).as("given up after the question was sent").isEqualTo("manx:1.1:l");
  }

  @Test
  void anAnswerOnAnotherConnectionSettlesNothing() {
    puts.fail(puts.begin(K), 3);
    puts.fail(puts.begin(Set.of("l")), 4);
    puts.fail(puts.begin(Set.of("m")), -1);
    puts.fail(puts.begin(Set.of("n")), 3);
    DoubtfulPuts.GivenUp some = puts.givenUp();
    assertThat(some.connection()).isEqualTo(4);
    puts.settle(some);
    puts.invalidate(List.of("k", "l", "m", "n"));
    assertThat(puts.name("k")).isNotEqualTo("manx:1:k");
    assertThat(puts.name("l")).isEqualTo("manx:1:l");
    assertThat(puts.name("m")).isNotEqualTo("manx:1:m");
    assertThat(puts.name("n")).isNotEqualTo("manx:1:n");
  }

  @Test
  void aPlainNameIsUsedAgainOnlyOnceItsPutsAreSettledAndItWasDeleted() {
    many(DoubtfulPuts.MANY);
    DoubtfulPuts.Put put = puts.begin(K);
    puts.giveUp(put);
    puts.invalidate(K);
    DoubtfulPuts.Put renamed = puts.begin(K);
    assertThat(puts.plain().keys()).as("its put may still arrive").isEmpty();
    puts.settle(put);
    DoubtfulPuts.Plain plain = puts.plain();
    assertThat(plain.keys()).containsExactly("k");
    assertThat(plain.name("k")).isEqualTo("manx:1:k");
    assertThat(puts.name("k")).as("not yet deleted").isEqualTo("manx:1.1:k");
    puts.deleted(plain, List.of("k"));
    assertThat(puts.name("k")).isEqualTo("manx:1:k");
    puts.giveUp(renamed);
    puts.invalidate(K);
    assertThat(puts.name("k")).as("no put under the plain name").isEqualTo("manx:1:k");
    puts.giveUp(puts.begin(K));
    puts.invalidate(K);
    assertThat(puts.name("k")).as("a name that was never used").isEqualTo("manx:1.2:k");
  }

  @Test
  void whatWasDeletedUnderAnEarlierPrefixIsNotDeletedUnderTheNextOne() {
    many(DoubtfulPuts.MANY);
    DoubtfulPuts.Put put = puts.begin(K);
    puts.giveUp(put);
    puts.invalidate(K);
    puts.settle(put);
    DoubtfulPuts.Plain plain = puts.plain();
    assertThat(plain.keys()).containsExactly("k");
    puts.beginAnew("manx:2:");
    DoubtfulPuts.Put other = puts.begin(K);
    puts.invalidate(K);
    puts.settle(other);
    assertThat(puts.name("k")).isEqualTo("manx:2.2:k");
    puts.deleted(plain, List.of("k"));
    assertThat(puts.name("k")).isEqualTo("manx:2.2:k");
  }

  @Test
  void fewRenamedKeysKeepTheirNames() {
    DoubtfulPuts.Put put = puts.begin(K);
    puts.invalidate(K);
    puts.settle(put);
    assertThat(puts.plain().keys()).isEmpty();
  }

  /** In progress does not count: their number is bounded, and mostly they arrive. */
  @Test
  void countsKeysInDoubtAndRenamedOnes() {
    Set<String> keys = new TreeSet<>();
    for (int i = 0; i <= DoubtfulPuts.MOST; i++) {
      keys.add("k" + i);
    }
    DoubtfulPuts.Put put = puts.begin(keys);
    assertThat(puts.tooMany()).isFalse();
    puts.giveUp(put);
    assertThat(puts.tooMany()).isTrue();
    puts.settle(put);
    assertThat(puts.tooMany()).isFalse();
    DoubtfulPuts.Put again = puts.begin(keys);
    puts.begin(keys);
    assertThat(puts.tooMany()).as("renamed").isTrue();
    puts.beginAnew("manx:2:");
    assertThat(puts.tooMany()).isFalse();
    puts.giveUp(again);
    assertThat(puts.tooMany()).as("under an earlier prefix").isFalse();
  }
}
