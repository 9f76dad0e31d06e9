/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.facts.ClusterState;
import dev.manx.policy.facts.FactColumn;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OracleTest {
  private static final long LARGE = 64 << 10;
  private static final long HOUR = 3_600_000_000_000L;

  @Test
  void learnedLargeKeysAreNeverMissedWithinAGeneration() {
    BloomSizeOracle oracle = new BloomSizeOracle(LARGE, 1 << 20, 1e-4, HOUR);
    for (int key = 0; key < 1_000; key++) {
      oracle.learn(null, key, LARGE + key);
    }
    for (int key = 0; key < 1_000; key++) {
      assertThat(oracle.sizeBytes(null, key)).isGreaterThanOrEqualTo(LARGE);
    }
    assertThat(oracle.learnedLarge()).isEqualTo(1_000);
  }

  @Test
  void falsePositivesStayWithinTheSettingWithBothGenerationsFull() {
    double allowed = 0.01;
    BloomSizeOracle oracle = new BloomSizeOracle(LARGE, 64 << 10, allowed, HOUR);
    SplittableRandom random = new SplittableRandom(11);
    // Up to just before the second turn, when both generations are as full as they get.
    for (long now = 0; oracle.turns() < 1 || oracle.fillRatio() < 0.99; now++) {
      oracle.learn(null, random.nextLong(), LARGE);
      oracle.tick(now);
    }
    int wrong = 0;
    int asked = 200_000;
    for (int i = 0; i < asked; i++) {
      if (oracle.sizeBytes(null, random.nextLong()) >= LARGE) {
        wrong++;
      }
    }
    assertThat(wrong / (double) asked).isBetween(allowed / 4, allowed * 1.05);
  }

  @Test
  void keysAreForgottenAfterTwoTurnsOfTime() {
    BloomSizeOracle oracle = new BloomSizeOracle(LARGE, 1 << 20, 1e-4, HOUR);
    oracle.tick(7);
    oracle.learn(null, 1, LARGE);
    oracle.learn(null, 2, LARGE);
    oracle.tick(7 + HOUR - 1);
    assertThat(oracle.turns()).isZero();
    oracle.tick(7 + HOUR);
    assertThat(oracle.turns()).isEqualTo(1);
    oracle.learn(null, 2, LARGE);
    assertThat(oracle.sizeBytes(null, 1)).isGreaterThanOrEqualTo(LARGE);
    oracle.tick(7 + 2 * HOUR);
    assertThat(oracle.sizeBytes(null, 1)).isLessThan(LARGE);
    assertThat(oracle.sizeBytes(null, 2)).as("seen again").isGreaterThanOrEqualTo(LARGE);
  }

  /**
   * Filling up is one reason to turn and time another; two turns in a row would forget all keys.
   */
  @Test
  void aFullGenerationTurnsOnceAndAWholeIntervalFollows() {
    BloomSizeOracle oracle = new BloomSizeOracle(LARGE, 8 << 10, 1e-4, HOUR);
    SplittableRandom random = new SplittableRandom(3);
    oracle.tick(0);
    oracle.learn(null, 1, LARGE);
    while (oracle.turns() < 1 && oracle.fillRatio() < 1) {
      oracle.learn(null, random.nextLong(), LARGE);
    }
    assertThat(oracle.turns()).as("learning clears no filter").isZero();
    oracle.tick(HOUR - 1);
    assertThat(oracle.turns()).as("it is full").isEqualTo(1);
    oracle.learn(null, 2, LARGE);
    oracle.tick(HOUR);
    assertThat(oracle.sizeBytes(null, 1)).isGreaterThanOrEqualTo(LARGE);
    oracle.tick(2 * HOUR - 1);
    assertThat(oracle.sizeBytes(null, 1)).as("an hour has passed").isLessThan(LARGE);
    assertThat(oracle.sizeBytes(null, 2)).isGreaterThanOrEqualTo(LARGE);
  }

  /** Beyond the limit the filters would take too many small keys for large. */
  @Test
  void aFullGenerationTakesNoKeyUntilTheNextTick() {
    double allowed = 0.01;
    BloomSizeOracle oracle = new BloomSizeOracle(LARGE, 8 << 10, allowed, HOUR);
    SplittableRandom random = new SplittableRandom(3);
    oracle.tick(0);
    for (int i = 0; i < 100_000; i++) {
      oracle.learn(null, random.nextLong(), LARGE);
    }
    int wrong = 0;
    for (int i = 0; i < 10_000; i++) {
      wrong += oracle.sizeBytes(null, random.nextLong()) >= LARGE ? 1 : 0;
    }
    assertThat(wrong / 10_000.0).isLessThan(allowed);
    oracle.tick(1);
    oracle.learn(null, 7, LARGE);
    assertThat(oracle.sizeBytes(null, 7)).isGreaterThanOrEqualTo(LARGE);
  }

  @Test
  void keysSeenAgainOutliveTheirGenerationAndOthersAreForgotten() {
    BloomSizeOracle oracle = new BloomSizeOracle(LARGE, 8 << 10, 1e-4, HOUR);
    SplittableRandom random = new SplittableRandom(3);
    oracle.learn(null, 1, LARGE);
    oracle.learn(null, 2, LARGE);
    for (long now = 0; oracle.turns() < 4; now++) {
      oracle.learn(null, random.nextLong(), LARGE);
      oracle.learn(null, 1, LARGE);
      oracle.tick(now);
    }
    assertThat(oracle.sizeBytes(null, 1)).isGreaterThanOrEqualTo(LARGE);
    assertThat(oracle.sizeBytes(null, 2)).isLessThan(LARGE);
    assertThat(oracle.memoryBytes()).isEqualTo(8 << 10);
    assertThat(oracle.fillRatio()).isBetween(0.0, 1.0);
  }

  @Test
  void guessesAreTheMeanOfTheClass() {
    BloomSizeOracle oracle = new BloomSizeOracle(LARGE, 1 << 20, 1e-4, HOUR);
    assertThat(oracle.sizeBytes(null, 5)).as("before learning").isEqualTo(1_024);
    for (int i = 0; i < 3_000; i++) {
      oracle.learn(null, 5, 1 << 20);
      oracle.learn(null, 6, 200);
    }
    assertThat(oracle.sizeBytes(null, 5)).isEqualTo(1 << 20);
    assertThat(oracle.sizeBytes(null, 6)).isEqualTo(200);
    assertThat(oracle.sizeBytes(null, 7)).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "1024_user7, 1024",
    "65536_, 65536",
    "0_x, 0",
    "12x_4, 50",
    "user, 50",
    "_9, 50",
    "123, 50",
    "9999999999999999999999_a, 50",
    "-5_a, 50"
  })
  void keysMayNameTheirSize(String key, long size) {
    KeyEncodedSizeOracle oracle = new KeyEncodedSizeOracle(LARGE, 50);
    byte[] bytes = ("##" + key).getBytes(StandardCharsets.UTF_8);
    ByteBuffer buffer = ByteBuffer.wrap(bytes, 2, bytes.length - 2);
    assertThat(oracle.sizeBytes(buffer, 0)).isEqualTo(size);
    assertThat(buffer.position()).as("absolute gets only").isEqualTo(2);
    assertThat(oracle.sizeBytes(null, 0)).isEqualTo(50);
  }

  @Test
  void forecastIsTheMeanOfFreshFactsAndNeverZero() {
    Forecast forecast = new Forecast(1_000, 0);
    assertThat(forecast.smallNanos()).isEqualTo(1_000);
    assertThat(forecast.largeNanos()).isEqualTo(1);
    ClusterState state = new ClusterState(4);
    long now = 20_000_000_000L;
    state.apply(FactColumn.SERVICE_TIME_SMALL, 0, 300, now - Forecast.MAX_AGE_NANOS + 1);
    state.apply(FactColumn.SERVICE_TIME_SMALL, 1, 500, now);
    state.apply(FactColumn.SERVICE_TIME_SMALL, 2, 9_999, now - Forecast.MAX_AGE_NANOS);
    state.apply(FactColumn.SERVICE_TIME_SMALL, 3, 0, now);
    forecast.recompute(state, 9, now);
    assertThat(forecast.smallNanos()).isEqualTo(400);
    assertThat(forecast.largeNanos()).as("without reports").isEqualTo(1);
    forecast.recompute(state, 4, now * 2);
    assertThat(forecast.smallNanos()).as("nothing fresh: as before").isEqualTo(400);
  }
}
