/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import dev.manx.operate.text.Words;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Nodes by what they have in common, so that twelve nodes that are alike make one line. */
final class ByNode {
  private final List<AskedNode> nodes;
  private final int all;

  /**
   * @param all how many nodes there are, these and others
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

  int size() {
    return nodes.size();
  }

  /** The same text, and the nodes that have it. */
  Map<String, ByNode> by(Function<AskedNode, String> text) {
    return nodes.stream()
        .collect(
            Collectors.groupingBy(
                text,
                LinkedHashMap::new,
                Collectors.collectingAndThen(Collectors.toList(), some -> new ByNode(some, all))));
  }

  /** Their names, or that they are all. */
  String names() {
    return Words.of(nodes.stream().map(AskedNode::name).toList(), all);
  }
}
