/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import static dev.manx.shares.CacheFixtures.MB;
import static dev.manx.shares.CacheFixtures.names;
import static dev.manx.shares.CacheFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings of a cache strategy: rejected values, and scaling in a compressed run. */
class CacheStrategyTest {
  private static final double M = MB;

  private static ConfigNode node(String policy, String setting) {
    return ConfigNode.parse("test", "{ policy: " + policy + ", " + setting + " }");
  }

  /** A tenth of the cache, of the time and so of the hits: an equal fraction of the space moves. */
  @Test
  void cliffhangerMovesAsMuchOfACompressedCache() {
    CacheStrategy strategy = CacheStrategy.of(node("cache.cliffhanger", "credit: 1MiB"), () -> 1);
    double[] full = strategy.newPolicy().targets(view(shadowHits(100), 1_000 * M, 1_000 * M));
    double[] tenth =
        strategy.scaled(0.1, () -> 1).newPolicy().targets(view(shadowHits(10), 100 * M, 100 * M));
    assertThat(full[0]).isGreaterThan(1_100 * M);
    assertThat(tenth[0]).isEqualTo(full[0] / 10, within(1.0));
  }

  private static WindowStatistics shadowHits(int hits) {
    WindowRecorder recorder = new WindowRecorder(names(2));
    for (int i = 0; i < hits; i++) {
      recorder.shadowHit(0);
    }
    return recorder.cut();
  }

  @ParameterizedTest
  @ValueSource(strings = {"p0", "p00.0", "p99,p0", "p0.0,p50", "p99.9999999999"})
  void aGoalThatNoRequestCanMissIsRefused(String goal) {
    assertThatThrownBy(
            () -> CacheStrategy.of(node("cache.robinhood", "goal: '" + goal + "'"), () -> 1))
        .isInstanceOf(ConfigException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"p0.5", "p05", "p50.0", "p90,p99", "p99.999999999"})
  void aGoalInsideTheRangeIsTaken(String goal) {
    CacheStrategy strategy =
        CacheStrategy.of(node("cache.robinhood", "goal: '" + goal + "'"), () -> 1);
    assertThat(strategy.newPolicy().enoughRequests()).isPositive();
  }

  /** Only so many are kept: a longer window would be cut without a word. */
  @Test
  void aWindowLongerThanTheStatisticsThatAreKeptIsRefused() {
    assertThatThrownBy(() -> CacheStrategy.of(node("cache.robinhood", "window: 6min"), () -> 1))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("window = '6min' is invalid; allowed: at most 64 times interval");
    for (String fits : List.of("window: 5min", "interval: 50ms", "interval: 10s, window: 6min")) {
      assertThat(CacheStrategy.of(node("cache.robinhood", fits), () -> 1).name())
          .isEqualTo("cache.robinhood");
    }
  }

  @Test
  void anotherPolicyTakesTheSettingsThatItHas() {
    CacheStrategy fixed =
        CacheStrategy.of(
            node("cache.static", "learn: 0s, tax: 3%, goal: p90, interval: 7s, floor: 1MiB"),
            () -> 1);
    CacheStrategy robinHood = fixed.withPolicy("cache.robinhood");
    assertThat(robinHood.name()).isEqualTo("cache.robinhood");
    assertThat(robinHood.written())
        .containsEntry("tax", "0.03")
        .containsEntry("goal", "p90")
        .containsEntry("interval", "7s")
        .containsEntry("floor", "1MiB")
        .doesNotContainKey("learn");
    assertThat(robinHood.forCapacity(1 << 20).controller().floorBytes()).isEqualTo(1 << 20);
  }

  /** A group has no miss curve, without which the policy would never rest. */
  @Test
  void groupsOfAGuardedPolicyAreRefused() {
    assertThatThrownBy(() -> CacheStrategy.of(node("cache.guarded", "groups: a+b"), () -> 1))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("groups = 'a+b' is invalid: cache.guarded does not support groups");
    assertThat(CacheStrategy.of(node("cache.guarded", "groups: none"), () -> 1).name())
        .isEqualTo("cache.guarded");
    assertThat(CacheStrategy.of(node("cache.robinhood", "groups: a+b"), () -> 1).name())
        .isEqualTo("cache.robinhood");
  }
}
