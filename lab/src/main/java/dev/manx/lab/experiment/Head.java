/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import static dev.manx.lab.settings.YamlText.ordered;

import dev.manx.lab.settings.Part;
import dev.manx.lab.stats.PairedComparison;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * The part common to experiment files of all kinds.
 *
 * @param on its kind
 * @param name name in the result files
 * @param description for users
 * @param quick whether the result is marked as too short to be trusted
 * @param baseline the arm with which the others are compared
 * @param arms running arms, in the file's order
 * @param seeds each gives one stream of requests, the same for all arms
 * @param bounds limits of arms' costs relative to others
 */
public record Head(
    String on,
    String name,
    String description,
    boolean quick,
    String baseline,
    List<String> arms,
    List<Long> seeds,
    List<ArmBound> bounds) {
  /** In the environment: runs that the command line made shorter than the file says. */
  public static final String FEWER_REQUESTS = "fewer requests";

  public Head {
    arms = List.copyOf(arms);
    seeds = List.copyOf(seeds);
    bounds = List.copyOf(bounds);
  }

  /**
   * Reads the common keys.
   *
   * @param measures quantities for which bounds are allowed
   */
  static Head read(
      ExperimentSource source, Part top, List<Long> seeds, ArmBound.Measures measures) {
    List<String> inFile = CommonSettings.arms(top);
    PublishedNames.check(source, top, inFile, measures.classes());
    AlsoAgainst.check(top, inFile);
    Choices choices = source.choices();
    List<String> arms = CommonSettings.chosen(choices.arms(), inFile, source.name());
    return new Head(
        top.word("on"),
        top.word("experiment"),
        top.word("description"),
        top.flag("quick") || choices.quick(),
        CommonSettings.baseline(top, inFile, arms),
        arms,
        seeds,
        ArmBound.read(top.parts("bounds"), inFile, measures));
  }

  /**
   * Reads all {@code arms} of the file, and returns those that run.
   *
   * @param settings reads an arm except its description
   */
  public <S> List<Arm<S>> arms(Part top, BiFunction<String, Part, S> settings) {
    List<Arm<S>> all = new ArrayList<>();
    top.named("arms", Part.class)
        .forEach(
            (name, arm) ->
                all.add(new Arm<>(name, arm.word("description"), settings.apply(name, arm))));
    return all.stream().filter(arm -> arms.contains(arm.name())).toList();
  }

  /**
   * Returns this head, marked as quick if the rounds are too few for a verdict. This is the rule of
   * every kind that measures a machine; for contention, whose files have their own numbers of
   * rounds, only a number given on the command line counts. Simulations are not marked: their
   * rounds are seeds, and a seed gives the same numbers every time.
   */
  public Head measuredIn(int rounds) {
    return marked(quick || rounds < PairedComparison.MIN_ROUNDS);
  }

  /** Returns this head with the given mark for short results. */
  Head marked(boolean tooShort) {
    return new Head(on, name, description, tooShort, baseline, arms, seeds, bounds);
  }

  /** Returns this head with other seeds. */
  public Head seeded(List<Long> others) {
    return new Head(on, name, description, quick, baseline, arms, others, bounds);
  }

  /** The common keys by name, except arms and seeds. */
  public Map<String, Object> values() {
    Map<String, Object> values =
        ordered(
            "experiment", name,
            "description", description,
            "on", on,
            "quick", quick,
            "baseline", baseline);
    List<ArmBound> running =
        bounds.stream().filter(b -> arms.contains(b.arm()) && arms.contains(b.over())).toList();
    if (!running.isEmpty()) {
      values.put("bounds", running.stream().map(ArmBound::values).toList());
    }
    return values;
  }

  /** The resolved file: its settings with the choices applied. */
  public Map<String, Object> written(Part top) {
    top.put("bounds", null);
    values().forEach(top::put);
    top.put("seeds", seeds);
    Map<String, Part> running = top.named("arms", Part.class);
    running.keySet().retainAll(arms);
    top.put("arms", running);
    AlsoAgainst.keepRunning(top, arms);
    PublishedNames.keepRunning(top, arms);
    return top.written();
  }
}
