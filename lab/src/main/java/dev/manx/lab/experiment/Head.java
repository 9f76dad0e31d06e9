/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import static dev.manx.lab.experiment.YamlText.ordered;

import dev.manx.policy.config.ConfigNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * The part that experiment files of all kinds have in common.
 *
 * @param on its kind
 * @param name as it stands in the result files
 * @param description for people
 * @param quick whether the result is too short to be believed, and marked so
 * @param baseline the arm the others are compared with
 * @param arms that run, in the file's order
 * @param seeds each gives one stream of requests, the same for all arms
 * @param bounds what arms may cost over others
 */
public record Head(
    String on,
    String name,
    String description,
    boolean quick,
    String baseline,
    List<String> arms,
    List<Long> seeds,
    List<Bound> bounds) {
  /** Copies the lists. */
  public Head {
    arms = List.copyOf(arms);
    seeds = List.copyOf(seeds);
    bounds = List.copyOf(bounds);
  }

  /** Reads the keys that every kind has. */
  static Head read(ExperimentSource source, ConfigNode top, String on, List<Long> seeds) {
    return read(source.name(), source.choices(), top, on, seeds);
  }

  /**
   * The same.
   *
   * @param file the name that errors carry
   */
  public static Head read(
      String file, Choices choices, ConfigNode top, String on, List<Long> seeds) {
    top.at("on").oneOf(on);
    List<String> inFile = CommonSettings.arms(top.at("arms"));
    List<String> arms = CommonSettings.chosen(choices.arms(), inFile, file);
    return new Head(
        on,
        CommonSettings.name(top),
        top.find("description").map(ConfigNode::text).orElse(""),
        top.find("quick").map(ConfigNode::flag).orElse(false) || choices.quick(),
        CommonSettings.baseline(top, inFile, arms),
        arms,
        seeds,
        Bound.read(top, inFile));
  }

  /**
   * Reads {@code arms}, all of the file, and gives those that run.
   *
   * @param settings reads one, all but its description
   */
  public <S> List<Arm<S>> arms(ConfigNode top, BiFunction<String, ConfigNode, S> settings) {
    ConfigNode all = top.at("arms");
    return all.names().stream()
        .map(
            name -> {
              ConfigNode node = all.at(name);
              String words = node.find("description").map(ConfigNode::text).orElse("");
              Arm<S> arm = new Arm<>(name, words, settings.apply(name, node));
              node.noOtherKeys();
              return arm;
            })
        .filter(arm -> arms.contains(arm.name()))
        .toList();
  }

  /** The same, marked as too short or not. */
  public Head marked(boolean tooShort) {
    return new Head(on, name, description, tooShort, baseline, arms, seeds, bounds);
  }

  /** The same with other seeds. */
  public Head seeded(List<Long> others) {
    return new Head(on, name, description, quick, baseline, arms, others, bounds);
  }

  /**
   * The same with some of its arms; where they leave the baseline out, the first of them takes its
   * place.
   */
  public Head of(List<String> some) {
    String base = some.contains(baseline) ? baseline : some.get(0);
    return new Head(on, name, description, quick, base, some, seeds, bounds);
  }

  /** The first keys of {@code experiment.yaml}; the kind adds its own. */
  public Map<String, Object> written() {
    Map<String, Object> top = ordered("experiment", name);
    if (!description.isEmpty()) {
      top.put("description", description);
    }
    top.putAll(ordered("on", on, "quick", quick, "baseline", baseline));
    List<Bound> running =
        bounds.stream().filter(b -> arms.contains(b.arm()) && arms.contains(b.over())).toList();
    if (!running.isEmpty()) {
      top.put("bounds", running.stream().map(Bound::written).toList());
    }
    return top;
  }

  /** Arms with every value in place, as they are read. */
  public static <S> Map<String, Object> written(
      List<Arm<S>> arms, BiFunction<String, S, Map<String, Object>> settings) {
    Map<String, Object> out = new LinkedHashMap<>();
    for (Arm<S> arm : arms) {
      Map<String, Object> one = ordered("description", arm.description());
      one.putAll(settings.apply(arm.name(), arm.settings()));
      out.put(arm.name(), one);
    }
    return out;
  }
}
