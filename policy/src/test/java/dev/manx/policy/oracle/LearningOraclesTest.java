/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases of oracles that learn, computed by hand. */
class LearningOraclesTest {
  private static final long A = 1;
  private static final long B = 2;
  private static final long C = 3;

  @Test
  void spaceSavingAsComputedByHand() {
    SpaceSavingOracle oracle = new SpaceSavingOracle(24, 2, Long.MAX_VALUE);
    for (long key : new long[] {A, A, B, C}) {
      oracle.count(key);
    }
    assertThat(oracle.peek(A)).isEqualTo(2);
    assertThat(oracle.error(A)).isZero();
    assertThat(oracle.peek(C)).isEqualTo(2);
    assertThat(oracle.error(C)).isEqualTo(1);
    assertThat(oracle.peek(B)).as("replaced").isZero();
    assertThat(oracle.total()).isEqualTo(4);
    assertThat(oracle.memoryBytes()).isEqualTo(24);
  }

  @Test
  void setsAreNoLargerThanTheMemory() {
    SpaceSavingOracle oracle = new SpaceSavingOracle(1 << 10, 256, Long.MAX_VALUE);
    assertThat(oracle.memoryBytes()).isBetween(1_000L, 1_024L);
    assertThat(oracle.count(1)).isEqualTo(1);
    assertThat(oracle.count(1)).isEqualTo(2);
  }

  @Test
  void agingHalvesCountsAndTotalAlike() {
    SpaceSavingOracle oracle = new SpaceSavingOracle(1 << 12, 4, 16);
    for (int i = 0; i < 8; i++) {
      oracle.count(A);
      oracle.count(B);
    }
    oracle.tick();
    assertThat(oracle.peek(A)).isEqualTo(4);
    assertThat(oracle.total()).isEqualTo(8);
    oracle.tick();
    assertThat(oracle.peek(A)).as("not before the next half life").isEqualTo(4);
    oracle.halve();
    assertThat(oracle.peek(A)).isEqualTo(2);
    assertThat(oracle.total()).isEqualTo(4);
    oracle.halve();
    oracle.halve();
    assertThat(oracle.peek(A)).as("forgotten").isZero();
  }

  /** Ticks are rare, however short the half life is. */
  @Test
  @Timeout(5)
  void manyHalfLivesInOneTickCostNoMoreThanForgetting() {
    SpaceSavingOracle oracle = new SpaceSavingOracle(1 << 22, 16, 1);
    for (int i = 0; i < 20_000; i++) {
      oracle.count(A);
    }
    oracle.tick();
    assertThat(oracle.peek(A)).isZero();
    assertThat(oracle.total()).isZero();
  }

  @Test
  void countsAreNeverTooSmallAndErrWithinTheirBound() {
    for (long seed = 0; seed < 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      SpaceSavingOracle oracle = new SpaceSavingOracle(12 * 256, 16, Long.MAX_VALUE);
      Map<Long, Long> exact = new HashMap<>();
      for (int i = 0; i < 50_000; i++) {
        long key = (long) Math.pow(10_000, random.nextDouble());
        oracle.count(key);
        exact.merge(key, 1L, Long::sum);
      }
      for (Map.Entry<Long, Long> entry : exact.entrySet()) {
        long counted = oracle.peek(entry.getKey());
        if (counted > 0) {
          assertThat(counted).as("seed %d", seed).isGreaterThanOrEqualTo(entry.getValue());
          assertThat(counted - oracle.error(entry.getKey()))
              .as("seed %d", seed)
              .isLessThanOrEqualTo(entry.getValue());
        } else {
          assertThat(entry.getValue()).as("rare, seed %d", seed).isLessThan(50_000 / 256 * 3);
        }
      }
    }
  }

  @Test
  void sizesFromAList() {
    SizeFileOracle oracle = new SizeFileOracle("sizes.csv", 100, 7, 3);
    oracle.line("user:1,500");
    oracle.line(" a,b , 12 ");
    oracle.line("");
    oracle.line("#-77,9000");
    oracle.line("one too many,5");
    assertThat(oracle.sizeBytes(key("user:1"), 0)).isEqualTo(500);
    assertThat(oracle.sizeBytes(key("a,b"), 0)).isEqualTo(12);
    assertThat(oracle.sizeBytes(null, -77)).isEqualTo(9_000);
    assertThat(oracle.sizeBytes(key("one too many"), 0)).isEqualTo(7);
    assertThat(oracle.refused()).isEqualTo(1);
    assertThat(oracle.fillRatio()).isEqualTo(1);
    oracle.line("user:1,50");
    assertThat(oracle.sizeBytes(key("user:1"), 0)).as("a later line").isEqualTo(50);
    assertThat(oracle.sizeBytes(null, 5)).isEqualTo(7);
    assertThat(oracle.path()).isEqualTo("sizes.csv");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nothing", ",5", "a,", "a,-1", "a,x", "#x,1"})
  void badLinesAreRefused(String line) {
    SizeFileOracle oracle = new SizeFileOracle("sizes.csv", 100, 7, 3);
    assertThatThrownBy(() -> oracle.line(line))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("key,size");
  }

  @Test
  void aFullListStillFindsItsKeys() {
    SizeFileOracle oracle = new SizeFileOracle("sizes.csv", 100, 7, 4_095);
    for (int i = 1; i <= 4_095; i++) {
      oracle.line("#" + i + "," + i * 10);
    }
    for (int i = 1; i <= 4_095; i++) {
      assertThat(oracle.sizeBytes(null, i)).isEqualTo(i * 10L);
    }
    assertThat(oracle.memoryBytes()).isLessThanOrEqualTo(64L * 4_095);
  }

  @Test
  void sizesByPrefix() {
    SizeEwmaOracle oracle = new SizeEwmaOracle(100, 0.5, 8, 4_096, 33);
    assertThat(oracle.sizeBytes(key("photo_1"), 0)).as("nothing seen").isEqualTo(33);
    oracle.learn(key("photo_1"), 0, 1_000);
    oracle.learn(key("photo_2"), 0, 2_000);
    oracle.learn(key("name:3"), 0, 10);
    assertThat(oracle.sizeBytes(key("photo_9"), 0)).isEqualTo(1_500);
    assertThat(oracle.sizeBytes(key("name:9"), 0)).isEqualTo(10);
    assertThat(oracle.sizeBytes(key("new_1"), 0)).as("the mean of all").isEqualTo(755);
    assertThat(oracle.sizeBytes(null, 4)).isEqualTo(755);
    assertThat(oracle.fillRatio()).isEqualTo(2 / 4_096.0);
    oracle.learn(key("averylongprefix_1"), 0, 70);
    assertThat(oracle.sizeBytes(key("averylonger_1"), 0)).as("eight bytes count").isEqualTo(70);
  }

  private static ByteBuffer key(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }
}
