/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.YamlText;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.workload.result.RowKey;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The names in key {@code published}: arms, classes, loads and points of the experiment. The report
 * reads the rest of each entry, and shows a number without a result as not measured; a misspelt
 * name would look the same after the whole run.
 */
final class PublishedNames {
  private static final String KEY = "published";
  private static final String LOADS = "loads";
  private static final String NAMED = SweepPoint.named("");

  private PublishedNames() {}

  /**
   * Checks a file that will run. Arms and loads that the command line omits may be named.
   *
   * @param arms all arms of the file
   * @param classes classes that have latencies in the results
   * @throws ConfigException if a name is unknown
   */
  static void check(ExperimentSource source, Part top, List<String> arms, List<String> classes) {
    if (!isIn(top)) {
      return;
    }
    Set<String> loads = new LinkedHashSet<>(loads(top));
    ConfigNode.parse(source.name(), source.text())
        .find(LOADS)
        .ifPresent(list -> list.items().forEach(item -> loads.add(item.text())));
    List<String> points =
        SweepPoint.of(top.node()).stream()
            .map(SweepPoint::params)
            .filter(params -> params.startsWith(NAMED))
            .map(params -> params.substring(NAMED.length()))
            .toList();
    for (ConfigNode item : top.node(KEY).items()) {
      item.at("arm").oneOf(arms.toArray(String[]::new));
      oneOf(item, "over", arms);
      if (!loads.isEmpty()) {
        oneOf(item, "load", List.copyOf(loads));
      }
      oneOf(item, "class", classes);
      if (item.find("class").isEmpty() && !classes.contains(RowKey.ALL)) {
        throw item.refuse("class: one of " + String.join(", ", classes));
      }
      item.find("point").ifPresent(point -> known(point, points));
      Optional<ConfigNode> named = item.find("class");
      if (item.find("point").isPresent()
          && named.filter(one -> !one.text().equals(RowKey.ALL)).isPresent()
          && classes.contains(RowKey.ALL)) {
        throw named.get().refuse("all: points of a sweep have no other classes");
      }
    }
  }

  private static void oneOf(ConfigNode item, String key, List<String> names) {
    item.find(key).ifPresent(node -> node.oneOf(names.toArray(String[]::new)));
  }

  private static void known(ConfigNode point, List<String> points) {
    if (points.isEmpty()) {
      throw point.refuse("a name in sweep, none of whose points has one");
    }
    point.oneOf(points.toArray(String[]::new));
  }

  /** Removes the entries of arms and loads that do not run, for the resolved file. */
  static void keepRunning(Part top, List<String> arms) {
    if (!isIn(top)) {
      return;
    }
    List<String> loads = loads(top);
    List<Object> kept =
        top.node(KEY).items().stream()
            .filter(item -> arms.contains(item.at("arm").text()))
            .filter(item -> isOf(item, "over", arms))
            .filter(item -> loads.isEmpty() || isOf(item, "load", loads))
            .map(YamlText::tree)
            .toList();
    top.put(KEY, kept.isEmpty() ? null : kept);
  }

  private static boolean isOf(ConfigNode item, String key, List<String> names) {
    Optional<ConfigNode> named = item.find(key);
    return named.isEmpty() || names.contains(named.get().text());
  }

  private static boolean isIn(Part top) {
    return top.isKey(KEY) && top.has(KEY);
  }

  private static List<String> loads(Part top) {
    return top.isKey(LOADS) && top.has(LOADS) ? top.words(LOADS) : List.of();
  }
}
