/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.oracle.SizeOracle;
import dev.manx.policy.strategy.PolicyMaker;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ExchangeTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MILLI = 1_000_000L;
  private static final List<Fact> FACTS = List.of(Fact.PENDING_READS, Fact.SERVICE_TIME);
  private static final int LARGE = 1 << 20;

  private final SizeOracle tellersKeys = oracle();
  private final SizeOracle hearersKeys = oracle();
  private final Exchange teller = new Exchange(SECOND, 3, 4, FACTS, (LargeKeys) tellersKeys);
  private final Exchange hearer = new Exchange(SECOND, 3, 4, FACTS, (LargeKeys) hearersKeys);
  private final ClusterState told = new ClusterState(4, 1);
  private final ClusterState heard = new ClusterState(4, 1);

  private static SizeOracle oracle() {
    return PolicyMaker.make(
        "oracle.size-bloom", "large-above: 1MiB", "memory: 64KiB", "turn-every: 1h");
  }

  private static boolean isLarge(SizeOracle oracle, long hash) {
    return oracle.sizeBytes(null, hash) >= LARGE;
  }

  @Test
  void withoutNewsThereIsNoMessage() {
    assertThat(teller.message(told, 4, SECOND)).isEmpty();
    told.apply(FactColumn.PENDING_READS, 2, 7, SECOND);
    assertThat(teller.message(told, 4, 2 * SECOND)).as("an interval old").isEmpty();
    tellersKeys.learn(null, 5, LARGE);
    assertThat(teller.message(told, 4, 2 * SECOND)).isNotEmpty();
    tellersKeys.learn(null, 5, LARGE);
    tellersKeys.learn(null, 6, 10);
    assertThat(teller.message(told, 4, 2 * SECOND)).as("known already, and small").isEmpty();
  }

  @Test
  void factsKeepTheirAgeAndTheYoungerOneStays() {
    told.apply(FactColumn.PENDING_READS, 2, 7, 0);
    told.apply(FactColumn.PENDING_READS, 3, 8, 0);
    heard.apply(FactColumn.PENDING_READS, 2, 100, 50 * MILLI);
    heard.apply(FactColumn.PENDING_READS, 3, 200, 950 * MILLI);
    byte[] message = teller.message(told, 4, 100 * MILLI);
    assertThat(hearer.take(message, heard, heard, SECOND)).isTrue();
    assertThat(heard.value(FactColumn.PENDING_READS, 2)).as("100 ms beat 950").isEqualTo(7);
    assertThat(heard.ageNanos(FactColumn.PENDING_READS, 2, SECOND)).isEqualTo(100 * MILLI);
    assertThat(heard.value(FactColumn.PENDING_READS, 3)).as("50 ms stay").isEqualTo(200);
    assertThat(heard.ageNanos(FactColumn.SERVICE_TIME, 2, SECOND)).isEqualTo(ClusterView.NEVER);
  }

  /** A node answers while the message about it is made. */
  @Test
  void factsThatComeMeanwhileLeaveTheMessageWhole() {
    for (int looks = 0; looks < 8; looks++) {
      byte[] message = teller.message(new Answering(looks), 4, SECOND);
      ClusterState hears = new ClusterState(4, 1);
      assertThat(hearer.take(message, hears, hears, SECOND)).as("after %d", looks).isTrue();
      assertThat(hears.value(FactColumn.PENDING_READS, 2)).isEqualTo(7);
    }
  }

  /** Only one fact of node 2 is young, until its ages have been read a number of times. */
  private static final class Answering implements ClusterView {
    private int left;

    Answering(int looks) {
      left = looks;
    }

    @Override
    public int capacity() {
      return 4;
    }

    @Override
    public int outstandingReads(int node) {
      return 0;
    }

    @Override
    public long outstandingWorkNanos(int node) {
      return 0;
    }

    @Override
    public long value(FactColumn column, int node) {
      return 7;
    }

    @Override
    public long ageNanos(FactColumn column, int node, long nowNanos) {
      if (node != 2) {
        return NEVER;
      }
      left--;
      return column == FactColumn.PENDING_READS || left < 0 ? 0 : 2 * SECOND;
    }
  }

  @Test
  void largeKeysArePassedOnOnce() {
    Exchange third = new Exchange(SECOND, 3, 4, List.of(), (LargeKeys) oracle());
    tellersKeys.learn(null, 5, LARGE);
    tellersKeys.learn(null, -6, LARGE);
    byte[] message = teller.message(told, 4, SECOND);
    assertThat(message).as("version, no node, two keys").hasSize(1 + 1 + 1 + 2 * Long.BYTES);
    assertThat(hearer.take(message, heard, heard, SECOND)).isTrue();
    assertThat(isLarge(hearersKeys, 5)).isTrue();
    assertThat(isLarge(hearersKeys, -6)).isTrue();
    assertThat(isLarge(hearersKeys, 7)).isFalse();
    byte[] onward = hearer.message(heard, 4, SECOND);
    assertThat(third.take(onward, heard, heard, SECOND)).isTrue();
    assertThat(teller.take(onward, told, told, SECOND)).isTrue();
    assertThat(teller.message(told, 4, SECOND)).as("the first sender knows them").isEmpty();
    assertThat(hearer.message(heard, 4, SECOND)).isEmpty();
    assertThat(third.message(heard, 4, SECOND)).isNotEmpty();
  }

  @Test
  void aForgottenKeyDoesNotReturnWithoutACause() {
    tellersKeys.learn(null, 5, LARGE);
    hearer.take(teller.message(told, 4, SECOND), heard, heard, SECOND);
    teller.take(hearer.message(heard, 4, SECOND), told, told, SECOND);
    for (long hours = 0; hours < 4; hours++) {
      tellersKeys.tick(hours * 3600 * SECOND);
      hearersKeys.tick(hours * 3600 * SECOND + 1800 * SECOND);
      hearer.take(teller.message(told, 4, SECOND), heard, heard, SECOND);
      teller.take(hearer.message(heard, 4, SECOND), told, told, SECOND);
    }
    assertThat(isLarge(tellersKeys, 5)).isFalse();
    assertThat(isLarge(hearersKeys, 5)).isFalse();
  }

  @Test
  void aMessageIsBounded() {
    for (int key = 0; key < 100; key++) {
      tellersKeys.learn(null, key * 0x9E3779B97F4A7C15L, LARGE);
    }
    assertThat(teller.message(told, 4, SECOND)).hasSize(1 + 1 + 1 + 4 * Long.BYTES);
    assertThat(teller.message(told, 4, SECOND)).as("further keys are not sent").isEmpty();
  }

  @Test
  void aNodeWithoutAnOracleOrWithOtherFactsAppliesWhatItKnows() {
    Exchange plain = new Exchange(SECOND, 3, 4, List.of(Fact.SERVICE_TIME), null);
    told.apply(FactColumn.PENDING_READS, 2, 7, 0);
    told.apply(FactColumn.SERVICE_TIME, 2, 9, 0);
    tellersKeys.learn(null, 5, LARGE);
    assertThat(plain.take(teller.message(told, 4, 1), heard, heard, SECOND)).isTrue();
    assertThat(heard.value(FactColumn.SERVICE_TIME, 2)).isEqualTo(9);
    assertThat(heard.value(FactColumn.PENDING_READS, 2)).isZero();
  }

  @Test
  void truncatedForeignAndGarbledMessagesChangeNothing() {
    told.apply(FactColumn.PENDING_READS, 2, 7, 0);
    tellersKeys.learn(null, 5, LARGE);
    byte[] good = teller.message(told, 4, 1);
    for (int length = 0; length < good.length; length++) {
      assertThat(hearer.take(Arrays.copyOf(good, length), heard, heard, SECOND)).isFalse();
    }
    byte[] foreign = good.clone();
    foreign[0]++;
    assertThat(hearer.take(foreign, heard, heard, SECOND)).isFalse();
    assertThat(hearer.take(Arrays.copyOf(good, good.length + 1), heard, heard, SECOND)).isFalse();
    assertThat(heard.value(FactColumn.PENDING_READS, 2)).isZero();
    assertThat(isLarge(hearersKeys, 5)).isFalse();
    for (long seed = 0; seed < 20_000; seed++) {
      byte[] bytes = garbage(seed, good);
      ClusterState state = new ClusterState(4, 1);
      boolean taken = hearer.take(bytes, state, state, SECOND);
      for (int node = 0; node < 4; node++) {
        long value = state.value(FactColumn.PENDING_READS, node);
        assertThat(value).as("seed %d", seed).isNotNegative();
        if (!taken) {
          assertThat(value).as("seed %d", seed).isZero();
        }
      }
    }
  }

  private static byte[] garbage(long seed, byte[] good) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] bytes = good.clone();
    for (int flips = random.nextInt(1, 4); flips > 0; flips--) {
      bytes[random.nextInt(1, bytes.length)] = (byte) random.nextInt();
    }
    return bytes;
  }
}
