/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings of a cache strategy: what is refused, and what a compressed run makes of them. */
class CacheStrategyTest {
  private static ConfigNode node(String policy, String setting) {
    return ConfigNode.parse("test", "{ policy: " + policy + ", " + setting + " }");
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
}
