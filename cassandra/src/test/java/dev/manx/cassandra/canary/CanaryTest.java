/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.canary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.policy.config.ConfigException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanaryTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "100%|1",
        "5%|0.05",
        "0.25|0.25",
        "{ share: 0 }|0",
        "{ tables: [a.b], share: 10% }|{ keyspaces: [], tables: [a.b], share: 0.1 }",
        "{ keyspaces: c, tables: [c.d, a.b, a.c] }|{ keyspaces: [c], tables: [a.b, a.c], share: 1 }",
      })
  void aShownValueCanBeSetAgain(String set, String shown) {
    CanaryConfig config = CanaryConfig.parse("manx.strategy", set);
    assertThat(config.text()).isEqualTo(shown);
    assertThat(CanaryConfig.parse("manx.strategy", shown)).isEqualTo(config);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lots",
        "-1%",
        "{ share: 2 }",
        "{ tables: [b] }",
        "{ tables: ['a.b.c'] }",
        "{ tables: [], share: 10% }",
        "{ tables: , share: 10% }",
        "{ tables: [a.b], share: }",
        "{ tables: [], keyspaces: [] }",
        "{ keyspaces: ['a b'] }",
        "{ nodes: 3 }",
        "5%\nmode: off",
        "[",
      })
  void anInvalidSettingIsRefusedWithItsName(String set) {
    assertThatThrownBy(() -> CanaryConfig.parse("manx.strategy", set))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("manx.strategy");
  }

  @Test
  void keyspacesAndTablesThatAreNotNamedAreLeftOut() {
    CanaryConfig config = CanaryConfig.parse("t", "{ keyspaces: [a], tables: [b.c] }");
    assertThat(config.includes("a", "any")).isTrue();
    assertThat(config.includes("b", "c")).isTrue();
    assertThat(config.includes("b", "d")).isFalse();
    assertThat(config.includes("c", "c")).isFalse();
    assertThat(CanaryConfig.ALL.includes("b", "d")).isTrue();
  }

  @Test
  void aShareOfTheRequestsIsTaken() {
    SplittableRandom random = new SplittableRandom(7);
    Canary canary = new Canary(CanaryConfig.parse("t", "{ tables: [a.b], share: 30% }"));
    assertThat(taken(canary, "b", random)).isBetween(2_800, 3_200);
    assertThat(taken(canary, "c", random)).isZero();
    canary.set(CanaryConfig.parse("t", "0%"));
    assertThat(taken(canary, "b", random)).isZero();
    canary.set(CanaryConfig.ALL);
    assertThat(taken(canary, "c", random)).isEqualTo(10_000);
  }

  private static int taken(Canary canary, String table, SplittableRandom random) {
    int taken = 0;
    for (int i = 0; i < 10_000; i++) {
      taken += canary.takes("a", table, random) ? 1 : 0;
    }
    return taken;
  }
}
