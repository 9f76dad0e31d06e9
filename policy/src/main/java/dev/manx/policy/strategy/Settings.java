/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import dev.manx.policy.NanoClock;
import dev.manx.policy.config.ConfigNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The resolved settings of one policy: every setting has a value. Immutable. */
public final class Settings {
  private final Map<Setting, Object> values;
  private final NanoClock clock;

  private Settings(Map<Setting, Object> values, NanoClock clock) {
    this.values = values;
    this.clock = clock;
  }

  /**
   * Reads the settings that stand in a mapping; the others get their defaults.
   *
   * @param node the mapping, or null for defaults only; the caller refuses other keys
   */
  static Settings read(List<Setting> settings, ConfigNode node, NanoClock clock) {
    Map<Setting, Object> values = new LinkedHashMap<>();
    for (Setting setting : settings) {
      values.put(
          setting,
          node == null
              ? setting.standard()
              : node.find(setting.name()).map(setting::read).orElse(setting.standard()));
    }
    return new Settings(values, clock);
  }

  /** The clock for policies that need one. */
  public NanoClock clock() {
    return clock;
  }

  /** A duration in nanoseconds, a size in bytes or a whole number. */
  public long number(String name) {
    return (Long) value(name);
  }

  /** A share or a number with a fraction. */
  public double real(String name) {
    return (Double) value(name);
  }

  /** A flag. */
  public boolean flag(String name) {
    return (Boolean) value(name);
  }

  /** A word. */
  public String word(String name) {
    return (String) value(name);
  }

  /** The settings as written, in the order of the registry. */
  public Map<String, String> written() {
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
    throw new IllegalArgumentException("the policy has no setting " + name);
  }
}
