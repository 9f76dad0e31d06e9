/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The rules for settings that experiment files of every kind share. */
public final class CommonSettings {
  private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,59}";
  private static final String ARM = "[A-Za-z0-9][A-Za-z0-9._+-]{0,39}";
  // The driver of the storage engine takes seeds as a double.
  private static final long LARGEST_SEED = 1L << 52;
  private static final String STOCK = "stock";

  private CommonSettings() {}

  /**
   * The experiment's name, key {@code experiment}: result folders and rows carry it.
   *
   * @throws ConfigException if it is missing or has other characters than a file name may have
   */
  public static String name(ConfigNode top) {
    ConfigNode node = top.at("experiment");
    if (!node.text().matches(NAME)) {
      throw node.refuse("letters, digits and . _ -, at most 60");
    }
    return node.text();
  }

  /**
   * The names of all arms in a file, key {@code arms}, in their order.
   *
   * @throws ConfigException if there is none, or a name has other characters than allowed
   */
  public static List<String> arms(ConfigNode arms) {
    for (String name : arms.names()) {
      if (!name.matches(ARM)) {
        throw arms.at(name).refuse("names of arms: letters, digits and . _ + -, at most 40");
      }
    }
    if (arms.names().isEmpty()) {
      throw arms.refuse("at least one arm");
    }
    return List.copyOf(arms.names());
  }

  /**
   * The arms to run, in the file's order.
   *
   * @param chosen what {@code --arms} names; empty for all
   * @param inFile all arms of the file
   * @throws ConfigException if the file has no such arm, or one is named twice
   */
  public static List<String> chosen(List<String> chosen, Collection<String> inFile, String file) {
    Set<String> once = new LinkedHashSet<>();
    for (String name : chosen) {
      if (!inFile.contains(name)) {
        throw refused(name, "arms of " + file + ": " + String.join(", ", inFile));
      }
      if (!once.add(name)) {
        throw refused(String.join(",", chosen), "each arm once; '" + name + "' is there twice");
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
   * The arm that the others are compared with, key {@code baseline}; without the key {@code stock},
   * or the first arm. Where {@code --arms} leaves the baseline out, the first arm that runs.
   *
   * @param inFile all arms of the file: the key must name one of them
   * @param running those that will run, at least one
   * @throws ConfigException if the key names an arm that the file does not have
   */
  public static String baseline(
      ConfigNode top, Collection<String> inFile, Collection<String> running) {
    String wanted =
        top.find("baseline")
            .map(node -> node.oneOf(inFile.toArray(String[]::new)))
            .orElse(inFile.contains(STOCK) ? STOCK : inFile.iterator().next());
    return running.contains(wanted) ? wanted : running.iterator().next();
  }

  /**
   * Key {@code seeds}, each of which gives one stream of requests; without it seed 1.
   *
   * @throws ConfigException if there is none, or one is there twice
   */
  public static List<Long> seeds(ConfigNode top) {
    List<Long> seeds =
        top.find("seeds")
            .map(node -> node.items().stream().map(one -> one.integer(0, LARGEST_SEED)).toList())
            .orElse(List.of(1L));
    if (seeds.isEmpty() || seeds.stream().distinct().count() < seeds.size()) {
      throw top.at("seeds").refuse("at least one seed, each once");
    }
    return seeds;
  }
}
