/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.lab.settings.Part;
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
 * The command line's choices for an experiment.
 *
 * @param settings values by dotted path, of {@code --set} and of the options below
 * @param options which of {@code rounds requests loads seeds} were given as options
 * @param arms only these, or empty for all
 * @param quick fewer rounds and short windows, for a first check of an experiment
 * @param cluster cluster of the user, if given
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

  /** Creates choices without a user's cluster. */
  public Choices(
      Map<String, String> settings, Set<String> options, List<String> arms, boolean quick) {
    this(settings, options, arms, quick, Optional.empty());
  }

  /** Returns these choices with a cluster of the user. */
  public Choices on(OwnCluster named) {
    return new Choices(settings, options, arms, quick, Optional.of(named));
  }

  /** Creates choices with values from {@code --set} only. */
  public Choices(Map<String, String> settings, List<String> arms, boolean quick) {
    this(settings, Set.of(), arms, quick);
  }

  /** No choices: the file unchanged. */
  public static Choices none() {
    return new Choices(Map.of(), List.of(), false);
  }

  /** Whether the command line gives a setting, by an option or by {@code --set}. */
  public boolean gives(String name) {
    return settings.containsKey(name);
  }

  /**
   * A value of the experiment: in a quick run {@code most} at most, unless the command line gives
   * it.
   *
   * @param name its setting, by dotted path
   */
  public long shortened(String name, long value, long most) {
    return quick && !gives(name) ? Math.min(value, most) : value;
  }

  /**
   * Shortens a value of the file for a quick run, unless the command line gives it.
   *
   * @param part the mapping that holds it
   * @param name its setting, by dotted path
   */
  public void shorten(Part part, String name, long most) {
    String key = name.substring(name.lastIndexOf('.') + 1);
    part.put(key, shortened(name, part.number(key), most));
  }

  /** The value of an option, if it was given: {@code [1, 2]} for {@code --seeds 1, 2}. */
  public Optional<String> option(String name) {
    return Optional.ofNullable(settings.get(name)).filter(value -> options.contains(name));
  }

  /** Whether the value of a name comes from an option; {@code --requests} removes the window. */
  boolean isOption(String name) {
    return options.contains(name) || name.equals("window") && options.contains("requests");
  }

  /**
   * Refuses a given option that does not apply to a kind of experiment.
   *
   * @param why the reason, and its replacement
   */
  public void refuse(String option, String why) {
    option(option)
        .ifPresent(
            value -> {
              throw ConfigException.because("--" + option, 0, option, value, why);
            });
  }

  /**
   * Rewrites an error for the user: for a value from an option it names the option, while the
   * reader of the file can only name {@code --set}.
   */
  public ConfigException named(ConfigException refusal) {
    for (String option : options) {
      Matcher of =
          Pattern.compile(
                  "--set: (" + option + "(?:\\[\\d+])?) = '(.*?)' is invalid(; allowed)?: (.*)",
                  Pattern.DOTALL)
              .matcher(refusal.getMessage());
      if (of.matches()) {
        return of.group(3) == null
            ? ConfigException.because("--" + option, 0, of.group(1), of.group(2), of.group(4))
            : new ConfigException("--" + option, 0, of.group(1), of.group(2), of.group(4));
      }
    }
    return refusal;
  }
}
