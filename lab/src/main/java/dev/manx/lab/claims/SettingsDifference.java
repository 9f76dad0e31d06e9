/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import dev.manx.lab.experiment.AlsoAgainst;
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
  private static final String ROUNDS = "rounds";
  private static final String REQUESTS = "requests";
  private static final String WINDOW = "window";
  private static final String BASELINE = "baseline";

  /** The settings that the command line may change within an experiment. */
  private static final Set<String> CHOSEN =
      Set.of("seeds", LOADS, REQUESTS, ROUNDS, WINDOW, "quick", BASELINE);

  /** The settings among them that have an option of their own. */
  private static final List<String> OPTIONS = List.of(LOADS, "seeds", REQUESTS, ROUNDS);

  /** These settings within a mapping of cases, each with separate rounds and arms. */
  private static final Set<String> CHOSEN_OF_A_CASE = Set.of(ROUNDS, "arms");

  /** The settings that only the report uses. */
  private static final Set<String> WORDS = Set.of("description", "published", AlsoAgainst.KEY);

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
   * The numbers of seeds, rounds and requests of a result that are lower than the file's, and a
   * window that is shorter or replaced by a number of requests.
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
              addFewer(ROUNDS, rounds(result), rounds(file), fewer);
              addFewer(REQUESTS, requests(result), requests(file), fewer);
              if (file.find(WINDOW).isPresent() && result.find(WINDOW).isEmpty()) {
                requests(result)
                    .ifPresent(
                        ran ->
                            fewer.add(
                                "requests: "
                                    + ran
                                    + " instead of a window of "
                                    + file.at(WINDOW).text()));
              }
              if (nanos(result).orElse(Long.MAX_VALUE) < nanos(file).orElse(0)) {
                fewer.add(
                    "window: "
                        + result.at(WINDOW).text()
                        + " instead of "
                        + file.at(WINDOW).text());
              }
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

  /** The length of the window; {@code --requests} removes it. */
  private static OptionalLong nanos(ConfigNode top) {
    return top.find(WINDOW)
        .map(window -> Units.durationNanos(window.text()))
        .orElse(OptionalLong.empty());
  }

  private static OptionalLong requests(ConfigNode top) {
    return top.find(REQUESTS)
        .map(requests -> OptionalLong.of(requests.integer(0, Integer.MAX_VALUE)))
        .orElse(OptionalLong.empty());
  }

  private static OptionalLong rounds(ConfigNode mapping) {
    return mapping
        .find(ROUNDS)
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

  /** Compares by the names of arms, which may contain dots, so the path is not enough. */
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

  /**
   * The command that produces such a result: differences from the file become options.
   *
   * @param resolved the resolved file; empty if it does not exist, and then there are no options
   */
  static String command(String file, Optional<String> resolved, ConfigNode result) {
    String run = "./manx run " + file;
    return resolved
        .map(text -> run + options(ConfigNode.parse("resolved", text), result))
        .orElse(run);
  }

  private static String options(ConfigNode file, ConfigNode result) {
    StringBuilder options = new StringBuilder();
    Set<String> ran = result.at("arms").names();
    if (!ran.containsAll(file.at("arms").names())) {
      options.append(" --arms ").append(String.join(",", ran));
    }
    for (String key : OPTIONS) {
      chosen(file, result, key)
          .filter(own -> !own.equals("0"))
          .ifPresent(own -> options.append(" --").append(key).append(' ').append(shell(own)));
    }
    for (String key : List.of(WINDOW, BASELINE)) {
      chosen(file, result, key)
          .ifPresent(own -> options.append(" --set ").append(shell(key + "=" + own)));
    }
    if (file.find(CASES).isPresent() && result.find(CASES).isPresent()) {
      for (String name : result.at(CASES).names()) {
        file.at(CASES)
            .find(name)
            .flatMap(usual -> chosen(usual, result.at(CASES).at(name), ROUNDS))
            .ifPresent(
                own -> options.append(" --set cases." + name + "." + ROUNDS + "=").append(own));
      }
    }
    return options.toString();
  }

  /** A result's value of a setting, if the file has another one or none. */
  private static Optional<String> chosen(ConfigNode file, ConfigNode result, String key) {
    Optional<String> usual = file.find(key).map(SettingsDifference::words);
    return result
        .find(key)
        .map(SettingsDifference::words)
        .filter(own -> !own.isEmpty() && !isSame(own, usual.orElse(null)));
  }

  private static String shell(String word) {
    return word.contains(" ") ? "'" + word + "'" : word;
  }

  /** A value, or the values of a list, in the syntax of the command line. */
  static String words(ConfigNode node) {
    return String.join(
        ",",
        node.items().stream().map(ConfigNode::text).map(text -> text.replace("_", "")).toList());
  }
}
