/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Notes on nodes below a table, in the order added; nodes with an equal note share a line. */
public final class NodeNotes {
  private final Map<String, List<String>> nodes = new LinkedHashMap<>();

  /** Adds a note on a node. */
  public void add(String node, String note) {
    nodes.computeIfAbsent(Words.line(note), words -> new ArrayList<>()).add(node);
  }

  /**
   * The lines.
   *
   * @param all the number of nodes in the table
   */
  public List<String> lines(int all) {
    List<String> lines = new ArrayList<>();
    nodes.forEach((note, some) -> lines.add(Words.of(some, all) + ": " + note));
    return lines;
  }
}
