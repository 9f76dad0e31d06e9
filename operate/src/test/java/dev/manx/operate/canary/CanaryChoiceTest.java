/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.canary;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CanaryChoiceTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1|none: all requests",
        "0.05|5% of all tables",
        "0.001|0.1% of all tables",
        "{ keyspaces: [users], tables: [shop.b, shop.a], share: 0.5 }|50% of shop.a, shop.b, users.*",
        "{ colour: red }|{ colour: red }",
      })
  void theShownValueIsDescribedInWords(String shown, String words) {
    assertThat(CanaryChoice.words(shown)).isEqualTo(words);
  }

  @Test
  void aSetValueIsReadBack() {
    CanaryChoice choice = new CanaryChoice(Set.of("users"), Set.of("shop.a", "users.b"), 0.1);
    assertThat(CanaryChoice.parse(choice.value())).isEqualTo(choice);
    assertThat(choice.tables()).containsExactly("shop.a");
    assertThat(CanaryChoice.parse("1")).isEqualTo(CanaryChoice.ALL);
    assertThat(CanaryChoice.parse(CanaryChoice.ALL.value())).isEqualTo(CanaryChoice.ALL);
    // A node refuses lists without a name.
    assertThat(CanaryChoice.ALL.value()).isEqualTo("1.0");
  }
}
