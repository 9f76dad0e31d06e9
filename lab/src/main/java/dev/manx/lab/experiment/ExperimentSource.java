/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.lab.settings.Part;
import dev.manx.load.connect.FileReasons;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An experiment file and the choices of the command line.
 *
 * @param file other files that it names are relative to its folder
 * @param files the named files that are not strategies
 */
public record ExperimentSource(Path file, String text, Choices choices, NamedFiles files) {
  private static final String ROUNDS = "rounds";

  public ExperimentSource(Path file, String text, Choices choices) {
    this(file, text, choices, new NamedFiles(file));
  }

  /**
   * Reads a file.
   *
   * @throws ConfigException if it cannot be read
   */
  public static ExperimentSource of(Path file, Choices choices) {
    try {
      return new ExperimentSource(file, Files.readString(file), choices);
    } catch (IOException e) {
      throw ConfigException.unreadable(file.toString(), FileReasons.why(e));
    }
  }

  /** Its kind, as written. */
  public ConfigNode on() {
    return ConfigNode.parse(name(), text).at("on");
  }

  String name() {
    return file.toString();
  }

  /** A file named in this one. */
  public Path beside(String other) {
    return file.toAbsolutePath().resolveSibling(other);
  }

  /**
   * The file's settings.
   *
   * @param without options that are not settings of this kind; with {@code --set} they are refused
   * @param more settings of a point of a sweep, by dotted path
   */
  public ConfigNode top(List<String> without, Map<String, String> more) {
    Map<String, String> overrides = new LinkedHashMap<>(choices.settings());
    overrides.keySet().removeIf(name -> without.contains(name) && choices.isOption(name));
    overrides.putAll(more);
    return ConfigNode.parse(name(), text, overrides);
  }

  /**
   * The part of the file common to all kinds.
   *
   * @param measures quantities for which bounds are allowed
   */
  public Head head(Part top, ArmBound.Measures measures) {
    return Head.read(this, top, CommonSettings.seeds(top), measures);
  }

  /**
   * The common part for a kind whose rounds are its seeds: {@code --rounds} gives their number, and
   * seeds beyond the file's are counted up.
   *
   * @param most largest number of seeds of a quick run
   * @param measures quantities for which bounds are allowed
   */
  public Head seeded(Part top, int most, ArmBound.Measures measures) {
    List<Long> seeds = new ArrayList<>(CommonSettings.seeds(top));
    if (choices.option(ROUNDS).isPresent()) {
      int wanted = rounds(choices.option(ROUNDS).get());
      while (seeds.size() < wanted) {
        seeds.add(seeds.stream().mapToLong(Long::longValue).max().orElse(0) + 1);
      }
      seeds = seeds.subList(0, wanted);
    }
    Head head = Head.read(this, top, List.of(), measures);
    // A file marked as quick keeps its seeds.
    boolean chosen = choices.gives(ROUNDS) || choices.gives("seeds");
    int kept = choices.quick() && !chosen ? most : seeds.size();
    return head.seeded(seeds.subList(0, Math.min(kept, seeds.size())));
  }

  private static int rounds(String text) {
    if (!text.matches("[1-9][0-9]{0,2}|1000")) {
      throw new ConfigException(
          "--" + ROUNDS, 0, ROUNDS, text, "a whole number of seeds from 1 to 1000");
    }
    return Integer.parseInt(text);
  }
}
