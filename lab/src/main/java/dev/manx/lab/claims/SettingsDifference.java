/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import dev.manx.lab.settings.YamlText;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Units;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Compares the settings of a result with those of its experiment file. */
final class SettingsDifference {
  private static final String LOADS = "loads";
  private static final String CASES = "cases";

  /** The settings that the command line may change within an experiment. */
  private static final Set<String> CHOSEN =
      Set.of("seeds", LOADS, "requests", "rounds", "window", "quick", "baseline");

  /** These settings within a mapping of cases, each with separate rounds and arms. */
  private static final Set<String> CHOSEN_OF_A_CASE = Set.of("rounds", "arms");

  /** The settings that are descriptions only. */
  private static final Set<String> WORDS = Set.of("description", "published");

  private static final int MOST_NAMED = 5;

  private SettingsDifference() {}

  /**
   * The differences between a result's settings and the file's, except for settings that may be
   * changed and omitted arms.
   *
   * @param resolved the resolved file; empty if it does not exist, and then there are no
   *     differences
   * @param namesLoads whether all claims name their loads; otherwise the only load of a file may
   *     not be changed
   */
  static List<String> differing(ConfigNode result, Optional<String> resolved, boolean namesLoads) {
    if (resolved.isEmpty()) {
      return List.of();
    }
    Map<String, String> ran = flat(YamlText.mapping(result));
    ConfigNode file = ConfigNode.parse("resolved", resolved.get());
    Map<String, String> now = flat(YamlText.mapping(file));
    boolean anyLoads =
        namesLoads || file.find(LOADS).map(loads -> loads.items().size() > 1).orElse(true);
    Set<String> arms = result.at("arms").names();
    List<String> differing = new ArrayList<>();
    Map<String, String> all = new LinkedHashMap<>(now);
    ran.forEach(all::putIfAbsent);
    for (String key : all.keySet()) {
      String[] path = key.split("\\.", 3);
      boolean describes =
          WORDS.contains(path[0]) || path.length == 3 && path[2].equals("description");
      boolean leftOut = path[0].equals("arms") && path.length > 1 && !arms(arms, key);
      if (!describes
          && !leftOut
          && !(CHOSEN.contains(path[0]) && (anyLoads || !path[0].equals(LOADS)))
          && !(path[0].equals(CASES) && path.length == 3 && CHOSEN_OF_A_CASE.contains(path[2]))
          && !isSame(ran.get(key), now.get(key))) {
        differing.add(key + " was " + ran.get(key) + " and is " + now.get(key));
      }
    }
    return differing.size() <= MOST_NAMED
        ? differing
        : List.copyOf(differing.subList(0, MOST_NAMED));
  }

  /**
   * The numbers of seeds and rounds of a result that are lower than the file's.
   *
   * @param resolved the resolved file; empty if it does not exist, and then there are none
   */
  static List<String> fewer(ConfigNode result, Optional<String> resolved) {
    List<String> fewer = new ArrayList<>();
    resolved
        .map(text -> ConfigNode.parse("resolved", text))
        .ifPresent(
            file -> {
              addFewer("seeds", count(result, "seeds"), count(file, "seeds"), fewer);
              addFewer("rounds", rounds(result), rounds(file), fewer);
              if (result.find(CASES).isPresent() && file.find(CASES).isPresent()) {
                ConfigNode now = file.at(CASES);
                for (String name : result.at(CASES).names()) {
                  OptionalLong most =
                      now.find(name).map(SettingsDifference::rounds).orElse(OptionalLong.empty());
                  addFewer("rounds of " + name, rounds(result.at(CASES).at(name)), most, fewer);
                }
              }
            });
    return fewer;
  }

  private static OptionalLong count(ConfigNode top, String list) {
    return top.find(list)
        .map(items -> OptionalLong.of(items.items().size()))
        .orElse(OptionalLong.empty());
  }

  private static OptionalLong rounds(ConfigNode mapping) {
    return mapping
        .find("rounds")
        .map(rounds -> OptionalLong.of(rounds.integer(0, Integer.MAX_VALUE)))
        .orElse(OptionalLong.empty());
  }

  private static void addFewer(
      String what, OptionalLong ran, OptionalLong now, List<String> fewer) {
    if (ran.isPresent() && now.isPresent() && ran.getAsLong() < now.getAsLong()) {
      fewer.add(what + ": " + ran.getAsLong() + " instead of " + now.getAsLong());
    }
  }

  /** Whether two values are equivalent, such as {@code 0ns} and {@code 0s}. */
  private static boolean isSame(String ran, String now) {
    if (Objects.equals(ran, now)) {
      return true;
    }
    OptionalLong nanos = ran == null ? OptionalLong.empty() : Units.durationNanos(ran);
    return nanos.isPresent() && now != null && Units.durationNanos(now).equals(nanos);
  }

  /** Names of arms may contain dots, so the path does not help. */
  private static boolean arms(Set<String> arms, String key) {
    return arms.stream().anyMatch(arm -> key.startsWith("arms." + arm + "."));
  }

  private static Map<String, String> flat(Map<String, Object> tree) {
    Map<String, String> flat = new LinkedHashMap<>();
    flatten("", tree, flat);
    return flat;
  }

  private static void flatten(String path, Object value, Map<String, String> flat) {
    if (value instanceof Map<?, ?> mapping) {
      mapping.forEach(
          (key, inner) -> flatten(path.isEmpty() ? key + "" : path + "." + key, inner, flat));
    } else {
      flat.put(path, String.valueOf(value));
    }
  }

  /** The command that produces such a result: differences from the file become options. */
  static String command(String file, Optional<ConfigNode> current, ConfigNode result) {
    StringBuilder command = new StringBuilder("./manx run ").append(file);
    Optional<ConfigNode> arms = current.flatMap(top -> top.find("arms"));
    Set<String> ran = result.at("arms").names();
    if (arms.isPresent() && !ran.containsAll(arms.get().names())) {
      command.append(" --arms ").append(String.join(",", ran));
    }
    for (String key : List.of(LOADS, "seeds", "requests", "rounds")) {
      String own = result.find(key).map(SettingsDifference::words).orElse("");
      String usual =
          current.flatMap(top -> top.find(key)).map(SettingsDifference::words).orElse(own);
      if (!own.equals(usual) && !own.equals("0")) {
        String shell = own.contains(" ") ? "'" + own + "'" : own;
        command.append(" --").append(key).append(' ').append(shell);
      }
    }
    return command.toString();
  }

  /** A value, or the values of a list, in the syntax of the command line. */
  static String words(ConfigNode node) {
    return String.join(
        ",",
        node.items().stream().map(ConfigNode::text).map(text -> text.replace("_", "")).toList());
  }
}
