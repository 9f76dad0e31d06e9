/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The switches that a node's answer says would be reverted. */
class TakenBackTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "checked /conf/manx.yaml: nothing changes | ''",
        "checked /conf/manx.yaml: plugin.unpage-up-to 256 -> 128 | ''",
        "checked /conf/manx.yaml: plugin.mode on -> shadow | mode on -> shadow",
        "checked /c/manx.yaml: plugin.breaker.failures 10 -> 3, plugin.canary 50% of shop.carts -> 1,"
            + " plugin.mode on -> shadow; needs a restart: plugin.nodes 1 -> 9"
            + " | mode on -> shadow, canary",
        "checked /c/manx.yaml: plugin.nodes 2 -> 3, strategy [select.low] -> [select.c3] | strategy",
        "checked /c/manx.yaml: strategy: other settings of the same policies | strategy",
        "checked /c/manx.yaml: nothing changes; mode stays off, though the configuration says on | ''",
        "checked /c/manx.yaml: plugin.mode on -> shadow; mode stays off until the breaker tries again,"
            + " in mode shadow | mode on -> shadow",
        "checked /c/manx.yaml: plugin.mode off -> shadow, strategy [] -> [select.low] | ''",
        "REFUSED | ''"
      })
  void modeCanaryAndStrategyAreNamed(String answer, String words) {
    assertThat(String.join(", ", TakenBack.in(answer))).isEqualTo(words);
  }
}
