/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.text;

import java.util.ArrayList;
import java.util.List;

/** A plain-text table: columns as wide as their widest cell, numbers right-aligned. */
public final class TextTable {
  private static final String GAP = "  ";

  private final List<String> head;
  private final boolean[] right;
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * @param head names of the columns; a leading {@code >} aligns a column to the right
   */
  public TextTable(String... head) {
    this.head = new ArrayList<>();
    right = new boolean[head.length];
    for (int i = 0; i < head.length; i++) {
      right[i] = head[i].startsWith(">");
      this.head.add(right[i] ? head[i].substring(1) : head[i]);
    }
  }

  /** Adds a row; missing cells are empty. */
  public TextTable row(String... cells) {
    List<String> row = new ArrayList<>(List.of(cells));
    while (row.size() < head.size()) {
      row.add("");
    }
    rows.add(row);
    return this;
  }

  /** The table, without a final line break. */
  @Override
  public String toString() {
    int[] widths = new int[head.size()];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = head.get(i).length();
      for (List<String> row : rows) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder out = new StringBuilder(line(head, widths));
    rows.forEach(row -> out.append('\n').append(line(row, widths)));
    return out.toString();
  }

  private String line(List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String space = " ".repeat(widths[i] - cells.get(i).length());
      line.append(i == 0 ? "" : GAP);
      line.append(right[i] ? space + cells.get(i) : cells.get(i) + space);
    }
    return line.toString().stripTrailing();
  }
}
