/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import static dev.manx.lab.settings.YamlText.ordered;

import dev.manx.lab.settings.Part;
import java.util.ArrayList;
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
  static Head read(ExperimentSource source, Part top, List<Long> seeds) {
    return read(source.name(), source.choices(), top, seeds);
  }

  /**
   * The same.
   *
   * @param file the name that errors carry
   */
  public static Head read(String file, Choices choices, Part top, List<Long> seeds) {
    List<String> inFile = CommonSettings.arms(top);
    List<String> arms = CommonSettings.chosen(choices.arms(), inFile, file);
    return new Head(
        top.word("on"),
        top.word("experiment"),
        top.word("description"),
        top.flag("quick") || choices.quick(),
        CommonSettings.baseline(top, inFile, arms),
        arms,
        seeds,
        Bound.read(top.parts("bounds"), inFile));
  }

  /**
   * Reads {@code arms}, all of the file, and gives those that run.
   *
   * @param settings reads one, all but its description
   */
  public <S> List<Arm<S>> arms(Part top, BiFunction<String, Part, S> settings) {
    List<Arm<S>> all = new ArrayList<>();
    top.named("arms", Part.class)
        .forEach(
            (name, arm) ->
                all.add(new Arm<>(name, arm.word("description"), settings.apply(name, arm))));
    return all.stream().filter(arm -> arms.contains(arm.name())).toList();
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

  /** The keys that every kind has, by their names, but for arms and seeds. */
  public Map<String, Object> values() {
    Map<String, Object> values =
        ordered(
            "experiment", name,
            "description", description,
            "on", on,
            "quick", quick,
            "baseline", baseline);
    List<Bound> running =
        bounds.stream().filter(b -> arms.contains(b.arm()) && arms.contains(b.over())).toList();
    if (!running.isEmpty()) {
      values.put("bounds", running.stream().map(Bound::values).toList());
    }
    return values;
  }

  /** The resolved file: what was read, with what was chosen. */
  public Map<String, Object> written(Part top) {
    top.put("bounds", null);
    values().forEach(top::put);
    top.put("seeds", seeds);
    Map<String, Part> running = top.named("arms", Part.class);
    running.keySet().retainAll(arms);
    top.put("arms", running);
    return top.written();
  }
}
