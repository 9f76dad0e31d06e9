/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The little that the report takes from the resolved experiment; everything else is shown verbatim.
 *
 * @param baselineName key {@code baseline}, if there is one
 * @param arms names of the arms as written
 * @param quick key {@code quick}
 */
record ExperimentFile(Optional<String> baselineName, List<String> arms, boolean quick) {
  static final String FILE_NAME = "experiment.yaml";

  private static final String STOCK = "stock";

  /** Reads the text; one that is no YAML gives nothing, for the report shows it as it is. */
  static ExperimentFile parse(String yaml) {
    if (yaml.isBlank()) {
      return new ExperimentFile(Optional.empty(), List.of(), false);
    }
    try {
      ConfigNode top = ConfigNode.parse(FILE_NAME, yaml);
      return new ExperimentFile(
          top.find("baseline").map(ConfigNode::text),
          top.find("arms").map(ExperimentFile::names).orElse(List.of()),
          top.find("quick").map(node -> node.text().equals("true")).orElse(false));
    } catch (ConfigException e) {
      return new ExperimentFile(Optional.empty(), List.of(), false);
    }
  }

  /** The baseline: as the file says, else {@code stock}, else the first arm. */
  String baseline(List<String> measured) {
    return baselineName
        .filter(measured::contains)
        .orElseGet(() -> measured.contains(STOCK) ? STOCK : measured.get(0));
  }

  private static List<String> names(ConfigNode arms) {
    if (arms.isMapping()) {
      return List.copyOf(arms.names());
    }
    List<String> names = new ArrayList<>();
    for (ConfigNode item : arms.items()) {
      if (item.isMapping()) {
        item.find("name").map(ConfigNode::text).ifPresent(names::add);
      } else {
        names.add(item.text());
      }
    }
    return names;
  }
}
