/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.policy.config.ConfigNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The points of {@code sweep}: every combination of a mapping's values, or the entries of a list.
 *
 * @param params as in {@code metrics.csv}
 * @param settings changed settings of the file, by dotted path
 */
public record SweepPoint(String params, Map<String, String> settings) {
  /** The parameter of a named point. */
  public static final String POINT = "point";

  /** The experiment without changes. */
  public static final SweepPoint NONE = new SweepPoint("", Map.of());

  /** The params of a named point. */
  public static String named(String name) {
    return POINT + "=" + name;
  }

  /** A condition at this point, without marks. */
  public <S, P> Point<S, P> at(
      String load, String requestClass, int rounds, List<Arm<S>> arms, P settings) {
    return new Point<>(
        load, requestClass, params, params.isEmpty(), rounds, arms, List.of(), settings);
  }

  /** The keys that any point sets, by dotted path. */
  public static Set<String> keys(ConfigNode top) {
    Set<String> keys = new TreeSet<>();
    of(top).forEach(point -> keys.addAll(point.settings.keySet()));
    return keys;
  }

  /**
   * Reads {@code sweep}, if present.
   *
   * @throws dev.manx.policy.config.ConfigException if it has no points, or two with one name
   */
  public static List<SweepPoint> of(ConfigNode top) {
    return top.find("sweep").map(SweepPoint::read).orElse(List.of());
  }

  private static List<SweepPoint> read(ConfigNode node) {
    List<SweepPoint> points = node.isList() ? listed(node) : combined(node);
    if (points.isEmpty() || points.stream().anyMatch(point -> point.params.isEmpty())) {
      throw node.refuse("at least one value of a setting at each point");
    }
    Set<String> names = new HashSet<>();
    for (SweepPoint point : points) {
      if (!names.add(point.params)) {
        throw node.refuse("each point once; '" + point.params + "' is there twice");
      }
    }
    return points;
  }

  private static List<SweepPoint> listed(ConfigNode node) {
    List<SweepPoint> points = new ArrayList<>();
    for (ConfigNode entry : node.items()) {
      Map<String, String> settings = new LinkedHashMap<>();
      entry.names().forEach(key -> settings.put(key, entry.at(key).text()));
      String name = settings.remove("name");
      if (name != null && !name.matches("[^;\\n]+")) {
        throw entry.at("name").refuse("a name on one line, without ;");
      }
      points.add(new SweepPoint(name == null ? params(settings) : named(name), settings));
    }
    return points;
  }

  private static List<SweepPoint> combined(ConfigNode node) {
    List<Map<String, String>> combinations = List.of(Map.of());
    for (String key : node.names()) {
      List<Map<String, String>> longer = new ArrayList<>();
      for (Map<String, String> shorter : combinations) {
        for (ConfigNode value : node.at(key).items()) {
          Map<String, String> one = new LinkedHashMap<>(shorter);
          one.put(key, value.text());
          longer.add(one);
        }
      }
      combinations = longer;
    }
    return combinations.stream().map(one -> new SweepPoint(params(one), one)).toList();
  }

  private static String params(Map<String, String> settings) {
    return settings.entrySet().stream()
        .map(one -> one.getKey() + "=" + one.getValue())
        .collect(Collectors.joining(";"));
  }
}
