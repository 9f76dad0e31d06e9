/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.spring;

import dev.manx.policy.config.ConfigNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.core.env.Environment;

/**
 * Converts the properties below {@value #PREFIX} to the settings of {@link
 * dev.manx.client.FanoutCacheBuilder#configure}, which validates them.
 */
final class CacheProperties {
  static final String PREFIX = "manx.cache";

  /** The beginning of error messages. */
  static final String SOURCE = "properties " + PREFIX;

  /** A setting of the autoconfiguration, not of the cache. */
  static final String ENABLED = "enabled";

  /** A setting of the meters: whether they have histogram timers. */
  static final String HISTOGRAMS = "histograms";

  private CacheProperties() {}

  /**
   * Whether the autoconfiguration makes a cache.
   *
   * @throws dev.manx.policy.config.ConfigException if the value is not what Spring takes for a
   *     boolean
   */
  static boolean enabled(Environment environment) {
    return flag(environment, ENABLED, true);
  }

  /**
   * Whether the meters have histogram timers.
   *
   * @throws dev.manx.policy.config.ConfigException if the value is not what Spring takes for a
   *     boolean
   */
  static boolean histograms(Environment environment) {
    return flag(environment, HISTOGRAMS, false);
  }

  private static boolean flag(Environment environment, String key, boolean standard) {
    String name = PREFIX + "." + key;
    try {
      return ServiceLinks.binder(environment).bind(name, Boolean.class).orElse(standard);
    } catch (BindException e) {
      String value = String.valueOf(environment.getProperty(name));
      throw ConfigNode.parseGenerated(SOURCE, yaml(Map.of(key, value)))
          .at(key)
          .refuse("true, false");
    }
  }

  static ConfigNode read(Environment environment) {
    Map<String, Object> settings =
        new LinkedHashMap<>(
            ServiceLinks.binder(environment)
                .bind(PREFIX, Bindable.mapOf(String.class, Object.class))
                .orElseGet(Map::of));
    settings.keySet().removeAll(Set.of(ENABLED, HISTOGRAMS));
    return ConfigNode.parseGenerated(SOURCE, yaml(settings));
  }

  private static String yaml(Object value) {
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(entry -> quoted(entry.getKey()) + ": " + yaml(entry.getValue()))
          .collect(Collectors.joining(", ", "{ ", " }"));
    }
    return quoted(value);
  }

  private static String quoted(Object scalar) {
    return scalar
        .toString()
        .replace("\\", "\\\\")
        .replace("\"", "\\\"")
        .replace("\n", "\\n")
        .transform(text -> '"' + text + '"');
  }
}
