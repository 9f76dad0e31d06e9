/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import dev.manx.policy.NanoClock;
import dev.manx.policy.SplitMix;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.oracle.PopularityOracle;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The resolved settings of one policy: every setting has a value. Immutable. */
public final class Settings {
  private final Map<Setting, Object> values;
  private final Host host;
  private final PopularityOracle popularity;

  private Settings(Map<Setting, Object> values, Host host, PopularityOracle popularity) {
    this.values = values;
    this.host = host;
    this.popularity = popularity;
  }

  /**
   * Reads the settings that stand in a mapping; the others get their defaults.
   *
   * @param node the mapping, or null for defaults only; the caller refuses other keys
   */
  static Settings read(List<Setting> settings, ConfigNode node, Host host) {
    Map<Setting, Object> values = new LinkedHashMap<>();
    for (Setting setting : settings) {
      values.put(
          setting,
          node == null
              ? setting.standard()
              : node.find(setting.name()).map(setting::read).orElse(setting.standard()));
    }
    return new Settings(values, host, null);
  }

  /** The same settings for a policy that asks a popularity oracle. */
  Settings with(PopularityOracle oracle) {
    return new Settings(values, host, oracle);
  }

  /** The same with some durations and sizes multiplied; each stays at least 1. */
  Settings scaled(double times, Set<String> names) {
    Map<Setting, Object> scaled = new LinkedHashMap<>(values);
    scaled.replaceAll(
        (setting, value) ->
            names.contains(setting.name()) && (Long) value > 0
                ? (Object) Math.max(1, Math.round((Long) value * times))
                : value);
    return new Settings(scaled, host, popularity);
  }

  /** The same with one size or number made smaller if it is larger than this. */
  Settings capped(String name, long most) {
    Map<Setting, Object> capped = new LinkedHashMap<>(values);
    capped.replaceAll(
        (setting, value) ->
            setting.name().equals(name) ? (Object) Math.min((Long) value, most) : value);
    return new Settings(capped, host, popularity);
  }

  /** The clock for policies that need one. */
  public NanoClock clock() {
    return host.clock();
  }

  /** A new source of randomness for what the policy draws by itself; never two alike. */
  public SplitMix random() {
    return new SplitMix(host.seeds().getAsLong());
  }

  /** The strategy's popularity oracle, or null if it has none. */
  public PopularityOracle popularity() {
    return popularity;
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
