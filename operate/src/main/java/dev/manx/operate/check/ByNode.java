/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import dev.manx.operate.text.Words;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Nodes grouped by a common property, so that twelve equal nodes make one line. */
final class ByNode {
  private final List<AskedNode> nodes;
  private final int all;

  /**
   * @param all total number of nodes, including others
   */
  ByNode(List<AskedNode> nodes, int all) {
    this.nodes = nodes;
    this.all = all;
  }

  ByNode where(Predicate<AskedNode> condition) {
    return new ByNode(nodes.stream().filter(condition).toList(), all);
  }

  boolean isEmpty() {
    return nodes.isEmpty();
  }

  /** Groups the nodes by a text. */
  Map<String, ByNode> by(Function<AskedNode, String> text) {
    return nodes.stream()
        .collect(
            Collectors.groupingBy(
                text,
                LinkedHashMap::new,
                Collectors.collectingAndThen(Collectors.toList(), some -> new ByNode(some, all))));
  }

  /** The option that chooses these nodes. */
  String option() {
    return "--nodes " + nodes.stream().map(AskedNode::name).collect(Collectors.joining(","));
  }

  /** Their names, or "all". */
  String names() {
    return Words.of(nodes.stream().map(AskedNode::name).toList(), all);
  }
}
