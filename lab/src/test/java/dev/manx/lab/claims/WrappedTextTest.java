/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WrappedTextTest {
  @Test
  void wordsStayAndLinesAreShort() {
    String text = "word ".repeat(60).strip();
    String item = WrappedText.item(text);
    assertThat(item).startsWith("* word").endsWith("word\n");
    assertThat(item.lines()).hasSize(3).allMatch(line -> line.length() <= 118);
    assertThat(item.lines().skip(1)).allMatch(line -> line.startsWith("  word"));
    assertThat(item.substring(2).replaceAll("\\s+", " ").strip()).isEqualTo(text);
  }

  @Test
  void aParagraphHasNoIndent() {
    assertThat(WrappedText.paragraph("word ".repeat(30)).lines())
        .hasSize(2)
        .allMatch(line -> line.startsWith("word") && line.length() <= 118);
  }

  @Test
  void codeStaysOnOneLine() {
    String code = "`./manx run x.yaml --arms " + "a,".repeat(30) + "b --loads 70%`,";
    assertThat(WrappedText.item("word ".repeat(20) + code + " then more").lines())
        .containsExactly("* " + "word ".repeat(20).strip(), "  " + code + " then more");
  }
}
