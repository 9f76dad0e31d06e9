/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.config.ConfigNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class YamlTextTest {
  /** A resolved file is read again by the report and by who runs it again. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "70%",
        "% of the reads",
        "- x",
        "---",
        "~",
        "null",
        "a: b",
        "a #b",
        "[a, b]",
        "\"quoted\"",
        "C:\\x",
        "two\nlines\tand a tab",
        "a bell \u0007, \u0085, \u2028 and \ufeff",
        "\ud83d\ude00"
      })
  void textsAreReadAsTheyWere(String text) {
    String yaml = YamlText.of(Map.of("top", text, "list", List.of(Map.of("inner", text))));
    ConfigNode node = ConfigNode.parse("a.yaml", yaml);
    assertThat(node.at("top").text()).isEqualTo(text);
    assertThat(node.at("list").items().get(0).at("inner").text()).isEqualTo(text);
  }
}
