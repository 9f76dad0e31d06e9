/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.experiment.ArmBound;
import dev.manx.lab.experiment.CommonSettings;
import dev.manx.lab.experiment.KindWords;
import dev.manx.lab.kind.Kinds;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.workload.result.ResultFolder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The parts of the resolved experiment that the report uses; the rest is shown verbatim.
 *
 * @param description key {@code description}, or empty
 * @param baselineName key {@code baseline}, if present
 * @param arms names of the arms as written, with their descriptions or empty
 * @param serviceModel whether {@code service-model} is present
 * @param quick key {@code quick}
 * @param kind words of its kind
 * @param bounds key {@code bounds}
 * @param heatArms arms whose best in each column is the heat map's reference; empty for the
 *     baseline
 */
record ExperimentFile(
    String description,
    Optional<String> baselineName,
    Map<String, String> arms,
    boolean serviceModel,
    boolean quick,
    KindWords kind,
    List<ArmBound> bounds,
    List<String> heatArms) {
  static final String FILE_NAME = ResultFolder.EXPERIMENT_FILE;

  private static final ExperimentFile NOTHING =
      new ExperimentFile(
          "", Optional.empty(), Map.of(), false, false, KindWords.UNKNOWN, List.of(), List.of());

  /**
   * Reads the text; text that is not YAML gives empty values, because the report shows it verbatim.
   */
  static ExperimentFile parse(String yaml) {
    if (yaml.isBlank()) {
      return NOTHING;
    }
    try {
      ConfigNode top = ConfigNode.parse(FILE_NAME, yaml);
      return new ExperimentFile(
          text(top, "description"),
          top.find("baseline").map(ConfigNode::text),
          top.find("arms").map(ExperimentFile::arms).orElse(Map.of()),
          top.find("service-model").isPresent(),
          text(top, "quick").equals("true"),
          Kinds.words(text(top, "on")),
          bounds(top),
          top.find("heat-map")
              .map(n -> n.items().stream().map(ConfigNode::text).toList())
              .orElse(List.of()));
    } catch (ConfigException e) {
      return NOTHING;
    }
  }

  /** The baseline by the rule of experiment files, among the measured arms. */
  String baseline(List<String> measured) {
    return CommonSettings.baseline(baselineName, measured, measured);
  }

  private static List<ArmBound> bounds(ConfigNode top) {
    return top.find("arms").isEmpty()
        ? List.of()
        : top.find("bounds")
            .map(list -> ArmBound.read(list, top.at("arms").names()))
            .orElse(List.of());
  }

  private static Map<String, String> arms(ConfigNode arms) {
    Map<String, String> described = new LinkedHashMap<>();
    for (String name : arms.names()) {
      described.put(name, text(arms.at(name), "description"));
    }
    return described;
  }

  private static String text(ConfigNode mapping, String key) {
    return mapping.find(key).map(ConfigNode::text).orElse("");
  }
}
