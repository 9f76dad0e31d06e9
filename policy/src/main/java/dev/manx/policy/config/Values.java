/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.config;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The values of a list of settings: one for each setting. Immutable. */
public class Values {
  /** The value of a duration that the policy determines. */
  public static final long BY_ITSELF = -1L;

  private final Map<Setting, Object> values;

  /** The values of the given settings. */
  protected Values(Values values) {
    this.values = values.values;
  }

  private Values(Map<Setting, Object> values) {
    this.values = values;
  }

  /**
   * Reads the settings of a mapping; missing settings get their defaults.
   *
   * @param node the mapping, or null for defaults only; the caller refuses other keys
   * @throws ConfigException if a value is refused
   */
  public static Values read(List<Setting> settings, ConfigNode node) {
    Map<Setting, Object> values = new LinkedHashMap<>();
    for (Setting setting : settings) {
      values.put(
          setting, node == null ? setting.standard() : setting.readOr(node, setting.standard()));
    }
    return new Values(values);
  }

  /** A duration in nanoseconds, a size in bytes or a whole number. */
  public final long number(String name) {
    return (Long) value(name);
  }

  /**
   * A whole number that fits an int.
   *
   * @throws ArithmeticException if it does not fit
   */
  public final int whole(String name) {
    return Math.toIntExact(number(name));
  }

  /** A share or a number with a fraction. */
  public final double real(String name) {
    return (Double) value(name);
  }

  /** A flag. */
  public final boolean flag(String name) {
    return (Boolean) value(name);
  }

  /** A word or a text. */
  public final String word(String name) {
    return (String) value(name);
  }

  /** One of an enum's constants. */
  public final <E extends Enum<E>> E choice(String name, Class<E> choices) {
    String word = word(name);
    return Arrays.stream(choices.getEnumConstants())
        .filter(constant -> Setting.written(constant).equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    name
                        + " = "
                        + word
                        + " is invalid; allowed: "
                        + Setting.choice(name, choices, "").range()));
  }

  /** Whether a setting has that name. */
  public final boolean has(String name) {
    return values.keySet().stream().anyMatch(setting -> setting.name().equals(name));
  }

  /** These values with another value for one setting. */
  public final Values with(String name, Object value) {
    Map<Setting, Object> changed = new LinkedHashMap<>(values);
    changed.replaceAll((setting, old) -> setting.name().equals(name) ? value : old);
    return new Values(changed);
  }

  /** These values, with those of others for the settings that both have. */
  public final Values with(Values others) {
    Map<Setting, Object> changed = new LinkedHashMap<>(values);
    changed.replaceAll((setting, own) -> others.values.getOrDefault(setting, own));
    return new Values(changed);
  }

  /** The values in the notation of YAML, in the order of the settings. */
  public final Map<String, String> written() {
    Map<String, String> written = new LinkedHashMap<>();
    values.forEach((setting, value) -> written.put(setting.name(), setting.write(value)));
    return written;
  }

  private Object value(String name) {
    for (Map.Entry<Setting, Object> entry : values.entrySet()) {
      if (entry.getKey().name().equals(name)) {
        return entry.getValue();
      }
    }
    throw new IllegalArgumentException("unknown setting " + name);
  }
}
