/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import java.util.Optional;

/** Looks up settings of a resolved experiment by dotted path. */
final class Experiments {
  private Experiments() {}

  /** The text at a path; empty if it does not exist or is not a single value. */
  static Optional<String> text(Optional<ConfigNode> top, String path) {
    Optional<ConfigNode> at = top;
    for (String name : path.split("\\.")) {
      at = at.filter(ConfigNode::isMapping).flatMap(node -> node.find(name));
    }
    try {
      return at.filter(node -> !node.isMapping() && !node.isList()).map(ConfigNode::text);
    } catch (ConfigException e) {
      return Optional.empty();
    }
  }
}
