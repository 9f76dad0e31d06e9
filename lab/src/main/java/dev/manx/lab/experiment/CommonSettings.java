/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.lab.settings.Document;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Named;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Section;
import dev.manx.lab.stats.PairedComparison;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.Setting;
import dev.manx.workload.RequestClass;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The rules for settings common to experiment files of every kind. */
public final class CommonSettings {
  private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,59}";
  private static final String ARM = "[A-Za-z0-9][A-Za-z0-9._+-]{0,39}";
  private static final String ARM_WORDS = "letters, digits and . _ + -, at most 40";
  // The driver of the storage engine reads seeds as doubles.
  private static final long LARGEST_SEED = 1L << 52;
  private static final String STOCK = "stock";
  private static final List<String> CLASS_LABELS =
      List.of("single", "narrow", "wide", "small", "large");

  public static final Key SEEDS =
      Key.of(
          Setting.whole(
              "seeds",
              1,
              0,
              LARGEST_SEED,
              "each gives one stream of requests, the same for all arms"),
          List.of(1L));

  public static final Key CLASSES =
      Key.of(
          Setting.word(
              "classes",
              "request classes that are reported in addition to `all`",
              CLASS_LABELS.toArray(String[]::new)),
          CLASS_LABELS);

  public static final Key DESCRIPTION =
      Key.of(Setting.anyText("description", "", "a text for readers of the report"));

  public static final Key SWEEP =
      Key.optional(
          "sweep",
          new Document("sweep", "values of settings by dotted path"),
          "more points: every combination of the values that a mapping lists by dotted path, or the"
              + " entries of a list as they are; key `name` of an entry names its point");

  public static final Key PUBLISHED =
      Key.optional(
          "published",
          new Document("published", "published results"),
          "results of a paper that the report puts next to these");

  private CommonSettings() {}

  /**
   * Key {@code rounds}.
   *
   * @param turns describes a round
   * @param fewer the consequence of fewer rounds than a verdict needs
   */
  public static Key rounds(String turns, String fewer) {
    int enough = PairedComparison.MIN_ROUNDS;
    return Key.of(
        Setting.whole("rounds", enough, 1, 1000, turns + "; fewer than " + enough + " " + fewer));
  }

  /**
   * The keys of a kind of experiment: the common ones, its own, and its arms.
   *
   * @param on its name
   * @param arm the keys of each arm
   * @param own its own keys in the order of the resolved file
   */
  public static Section top(String on, Section arm, Key... own) {
    return Section.of(
            Key.required(
                Setting.text(
                    "experiment",
                    null,
                    NAME,
                    "letters, digits and . _ -, at most 60",
                    "the name in every row of the results")),
            DESCRIPTION.quiet(),
            Key.required(Setting.word("on", "the kind of experiment", on)),
            Key.of(Setting.flag("quick", false, "marks a result that is too short to be trusted")),
            Key.optional(
                    Setting.anyText("baseline", null, "the arm that the others are compared with"))
                .otherwise("`stock` if there is one, else the first"),
            AlsoAgainst.SETTING,
            ArmBound.KEY)
        .and(own)
        .and(
            Key.required(
                "arms",
                new Named(ARM, "names of arms: " + ARM_WORDS, arm),
                "the compared alternatives, by name; the name is in every result file and legend"));
  }

  /** The form of an arm's name in words, if a name does not have it. */
  public static Optional<String> arm(String name) {
    return name.matches(ARM) ? Optional.empty() : Optional.of(ARM_WORDS);
  }

  /**
   * The names of all arms in a file, key {@code arms}, in their order.
   *
   * @throws ConfigException if there is none
   */
  public static List<String> arms(Part top) {
    List<String> names = List.copyOf(top.named("arms", Part.class).keySet());
    if (names.isEmpty()) {
      throw top.node("arms").refuse("at least one arm");
    }
    return names;
  }

  /**
   * The arms to run, in the file's order.
   *
   * @param chosen arms given by {@code --arms}; empty for all
   * @param inFile all arms of the file
   * @throws ConfigException if an arm is unknown or repeated
   */
  public static List<String> chosen(List<String> chosen, Collection<String> inFile, String file) {
    Set<String> once = new LinkedHashSet<>();
    for (String name : chosen) {
      if (!inFile.contains(name)) {
        throw refused(name, "arms of " + file + ": " + String.join(", ", inFile));
      }
      if (!once.add(name)) {
        throw refused(String.join(",", chosen), "each arm once; '" + name + "' is repeated");
      }
    }
    List<String> ordered = new ArrayList<>(inFile);
    if (!once.isEmpty()) {
      ordered.retainAll(once);
    }
    return List.copyOf(ordered);
  }

  private static ConfigException refused(String value, String allowed) {
    return new ConfigException("--arms", 0, "arms", value, allowed);
  }

  /**
   * The baseline arm, key {@code baseline}; without the key {@code stock}, or the first arm. If
   * {@code --arms} omits the baseline, the first arm that runs.
   *
   * @param inFile all arms of the file: the key must name one of them
   * @param running arms that will run, at least one
   * @throws ConfigException if the key names an unknown arm
   */
  public static String baseline(Part top, Collection<String> inFile, Collection<String> running) {
    Optional<String> named =
        top.has("baseline")
            ? Optional.of(top.node("baseline").oneOf(inFile.toArray(String[]::new)))
            : Optional.empty();
    return baseline(named, inFile, running);
  }

  /**
   * Applies this rule to a given name.
   *
   * @param named the key's value
   */
  public static String baseline(
      Optional<String> named, Collection<String> inFile, Collection<String> running) {
    String wanted =
        named.orElseGet(() -> inFile.contains(STOCK) ? STOCK : inFile.iterator().next());
    return running.contains(wanted) ? wanted : running.iterator().next();
  }

  /** The classes in key {@code classes}. */
  public static List<RequestClass> classes(Part top) {
    return top.words("classes").stream().distinct().map(RequestClass::ofLabel).toList();
  }

  /** The classes of requests in the results: {@code all}, and those in key {@code classes}. */
  public static List<String> reported(Part top) {
    return Stream.concat(Stream.of(RequestClass.ALL), classes(top).stream())
        .map(RequestClass::label)
        .toList();
  }

  /**
   * Key {@code loads}.
   *
   * @param labels as in the result files
   * @param one an example, for the error
   * @throws ConfigException if there is none, or one is repeated: both results would have one name
   */
  public static void checkLoads(Part top, List<String> labels, String one) {
    if (labels.isEmpty()) {
      throw top.node("loads").refuse("at least one " + one);
    }
    if (labels.stream().distinct().count() < labels.size()) {
      throw top.node("loads").refuse("each load once");
    }
  }

  /**
   * Key {@code seeds}; each gives one stream of requests. The default is seed 1.
   *
   * @throws ConfigException if it is empty, or a seed is repeated
   */
  public static List<Long> seeds(Part top) {
    List<Long> seeds = top.items("seeds", Long.class);
    if (seeds.isEmpty() || seeds.stream().distinct().count() < seeds.size()) {
      throw top.node("seeds").refuse("at least one seed, each once");
    }
    return seeds;
  }
}
