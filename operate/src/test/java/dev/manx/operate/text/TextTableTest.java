/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {
  @Test
  void columnsAreAsWideAsTheirWidestCell() {
    TextTable table = new TextTable("node", ">reads/s", "note");
    table.row("10.0.0.1", "7", "fine").row("a", "1234567890");
    assertThat(table.toString().lines())
        .containsExactly(
            "node         reads/s  note", //
            "10.0.0.1           7  fine",
            "a         1234567890");
  }

  @Test
  void manyNamesAreCounted() {
    List<String> names = List.of("a", "b", "c", "d", "e", "f", "g", "h");
    assertThat(Words.of(names, 8)).isEqualTo("all 8 nodes");
    assertThat(Words.of(names, 9)).isEqualTo("a, b, c, d, e, f and 2 more");
    assertThat(Words.of(names.subList(0, 2), 9)).isEqualTo("a, b");
    assertThat(Words.of(names.subList(0, 1), 1)).isEqualTo("a");
    assertThat(Words.line(" a\n  b ")).isEqualTo("a b");
  }
}
