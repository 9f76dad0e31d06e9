/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Paths of {@code --set}. */
class OverridesTest {
  private static ConfigNode read(String text, String path, String value) {
    return ConfigNode.parse("a.yaml", text, Map.of(path, value));
  }

  /** An arm may be called after a version. */
  @Test
  void aPathLeadsThroughKeysWithDots() {
    ConfigNode top =
        read(
            "arms: { v1.2: { strategy: manx }, v1: { strategy: rein } }",
            "arms.v1.2.strategy",
            "c3");
    assertThat(top.at("arms").names()).containsExactly("v1.2", "v1");
    assertThat(top.at("arms").at("v1.2").at("strategy").text()).isEqualTo("c3");
    assertThat(top.at("arms").at("v1").at("strategy").text()).isEqualTo("rein");
  }

  @Test
  void aPathMayEndInAKeyWithDots() {
    assertThat(read("a: { b.c: 1 }", "a.b.c", "2").at("a").at("b.c").text()).isEqualTo("2");
  }

  @Test
  void otherwiseEachNameIsAKey() {
    ConfigNode top = read("a: { b: 1 }", "a.c.d", "2");
    assertThat(top.at("a").at("c").at("d").text()).isEqualTo("2");
    assertThat(top.at("a").at("b").text()).isEqualTo("1");
  }
}
