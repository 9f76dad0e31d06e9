/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.experiment.AlsoAgainst;
import dev.manx.lab.experiment.ArmBound;
import dev.manx.lab.experiment.CommonSettings;
import dev.manx.lab.experiment.KindWords;
import dev.manx.lab.experiment.SweepPoint;
import dev.manx.lab.kind.Kinds;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.workload.result.ResultFolder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The parts of the resolved experiment that the report uses; the rest is shown verbatim.
 *
 * @param top its settings; empty if it is missing or cannot be read
 * @param description key {@code description}, or empty
 * @param baselineName key {@code baseline}, if present
 * @param alsoAgainst key {@code also-against}
 * @param arms names of the arms as written, with their descriptions or empty
 * @param serviceModel whether {@code service-model} is present
 * @param quick key {@code quick}
 * @param kind words of its kind
 * @param bounds key {@code bounds}
 * @param heatArms arms whose best in each column is the heat map's reference; empty for the
 *     baseline
 */
record ExperimentFile(
    Optional<ConfigNode> top,
    String description,
    Optional<String> baselineName,
    List<String> alsoAgainst,
    Map<String, String> arms,
    boolean serviceModel,
    boolean quick,
    KindWords kind,
    List<ArmBound> bounds,
    List<String> heatArms) {
  static final String FILE_NAME = ResultFolder.EXPERIMENT_FILE;

  /**
   * Reads the text; text that is not YAML gives empty values, because the report shows it verbatim.
   */
  static ExperimentFile parse(String yaml) {
    Optional<ConfigNode> top = Optional.empty();
    try {
      if (!yaml.isBlank()) {
        top = Optional.of(ConfigNode.parse(FILE_NAME, yaml));
        return of(top.get());
      }
    } catch (ConfigException e) {
      // Only the values that could be read.
    }
    return new ExperimentFile(
        top,
        "",
        Optional.empty(),
        List.of(),
        Map.of(),
        false,
        false,
        KindWords.UNKNOWN,
        List.of(),
        List.of());
  }

  private static ExperimentFile of(ConfigNode top) {
    return new ExperimentFile(
        Optional.of(top),
        text(top, "description"),
        top.find("baseline").map(ConfigNode::text),
        texts(top, AlsoAgainst.KEY),
        top.find("arms").map(ExperimentFile::arms).orElse(Map.of()),
        top.find("service-model").isPresent(),
        text(top, "quick").equals("true"),
        Kinds.words(text(top, "on")),
        bounds(top),
        texts(top, "heat-map"));
  }

  private static List<String> texts(ConfigNode top, String list) {
    return top.find(list).stream()
        .flatMap(node -> node.items().stream())
        .map(ConfigNode::text)
        .toList();
  }

  /** The text at a dotted path; empty if it does not exist or is not a single value. */
  Optional<String> text(String path) {
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

  /** The parameters that its sweep combines, and that of a named point. */
  Set<String> swept() {
    Set<String> names = new TreeSet<>(Set.of(SweepPoint.POINT));
    top.flatMap(file -> file.find("sweep"))
        .filter(ConfigNode::isMapping)
        .ifPresent(sweep -> names.addAll(sweep.names()));
    return names;
  }

  /**
   * The baseline by the rule of experiment files, among the measured arms.
   *
   * @param measured in the order of the file
   */
  String baseline(List<String> measured) {
    return CommonSettings.baseline(baselineName, measured, measured);
  }

  /** The baseline that the file names, if it was not measured. */
  Optional<String> missingBaseline(List<String> measured) {
    return baselineName.filter(name -> !measured.contains(name));
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
