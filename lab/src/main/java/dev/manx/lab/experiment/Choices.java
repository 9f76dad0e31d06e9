/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.lab.stats.PairedComparison;
import dev.manx.policy.config.ConfigException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The choices that the command line makes for an experiment.
 *
 * @param settings values by dotted path, of {@code --set} and of the options below
 * @param options which of {@code rounds requests loads seeds} have options of their own here
 * @param arms only these, or empty for all
 * @param quick fewer rounds and short windows, to see whether an experiment works at all
 * @param cluster of the user, if one is named
 */
public record Choices(
    Map<String, String> settings,
    Set<String> options,
    List<String> arms,
    boolean quick,
    Optional<OwnCluster> cluster) {

  /** Copies the collections in their order. */
  public Choices {
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    options = Set.copyOf(options);
    arms = List.copyOf(arms);
  }

  /** On nodes of its own. */
  public Choices(
      Map<String, String> settings, Set<String> options, List<String> arms, boolean quick) {
    this(settings, options, arms, quick, Optional.empty());
  }

  /** The same on a cluster of the user. */
  public Choices on(OwnCluster named) {
    return new Choices(settings, options, arms, quick, Optional.of(named));
  }

  /** Without options of their own: every value is one of {@code --set}. */
  public Choices(Map<String, String> settings, List<String> arms, boolean quick) {
    this(settings, Set.of(), arms, quick);
  }

  /** The file as it is. */
  public static Choices none() {
    return new Choices(Map.of(), List.of(), false);
  }

  /** The value of an option, if it was given: {@code [1, 2]} for {@code --seeds 1, 2}. */
  public Optional<String> option(String name) {
    return Optional.ofNullable(settings.get(name)).filter(value -> options.contains(name));
  }

  /** Whether the value of a name is an option's own; {@code --requests} takes the window away. */
  boolean isOption(String name) {
    return options.contains(name) || name.equals("window") && options.contains("requests");
  }

  /**
   * Refuses an option that means nothing to a kind of experiment, if it was given.
   *
   * @param instead what to use in its place
   */
  public void refuse(String option, String instead) {
    option(option)
        .ifPresent(
            value -> {
              throw new ConfigException("--" + option, 0, option, value, instead);
            });
  }

  /**
   * A refusal as the user must read it: a value that came from an option names the option, where
   * the reader of the file can only name {@code --set}.
   */
  public ConfigException named(ConfigException refusal) {
    for (String option : options) {
      Matcher of =
          Pattern.compile(
                  "--set: (" + option + "(?:\\[\\d+])?) = '(.*?)' is invalid; allowed: (.*)",
                  Pattern.DOTALL)
              .matcher(refusal.getMessage());
      if (of.matches()) {
        return new ConfigException("--" + option, 0, of.group(1), of.group(2), of.group(3));
      }
    }
    return refusal;
  }

  /** Whether the result is to be marked quick: asked for, or too few rounds for a verdict. */
  public boolean marksQuick() {
    String rounds = settings.get("rounds");
    return quick
        || rounds != null
            && rounds.matches("[0-9]{1,3}")
            && Integer.parseInt(rounds) < PairedComparison.MIN_ROUNDS;
  }
}
