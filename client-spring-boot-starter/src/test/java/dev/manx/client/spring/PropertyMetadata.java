/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.spring;

import dev.manx.client.SettingLists;
import dev.manx.client.store.StoreKind;
import dev.manx.client.store.remote.RemoteSettings;
import dev.manx.policy.config.Setting;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.shares.SharePolicies;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Spring's metadata of the properties, for editors, made from the declared settings. */
final class PropertyMetadata {
  private static final String TEXT = "java.lang.String";
  private static final String TEXTS = "java.util.Map<java.lang.String,java.lang.String>";

  private final Map<String, String> properties = new TreeMap<>();

  private PropertyMetadata() {}

  /** The content of {@code META-INF/spring-configuration-metadata.json}. */
  static String json() {
    return new PropertyMetadata().made();
  }

  private String made() {
    add(
        Setting.flag(
            CacheProperties.ENABLED, true, "whether the application gets a bean FanoutCache"));
    add(
        Setting.flag(
            CacheProperties.HISTOGRAMS, false, "whether the meters include histogram timers"));
    SettingLists.cache().forEach(this::add);
    add("policy", TEXT, "how the capacity is divided", "cache.robinhood");
    add("policy.policy", TEXT, "the policy, if some of its settings are given", "");
    SharePolicies.all().stream()
        .flatMap(policy -> policy.settings().stream())
        .collect(Collectors.groupingBy(Setting::name))
        .values()
        .forEach(this::addOfPolicies);
    add("store", TEXT, "where the shares are kept", "caffeine");
    add("store.kind", TEXT, "the kind of store, if some of its settings are given", "");
    add("store.instances", TEXTS, "the address of each backend's server", "");
    SettingLists.stores().stream()
        .flatMap(kind -> kind.settings().stream())
        .forEach(setting -> addOf("store", setting));
    RemoteSettings.SETTINGS.forEach(setting -> addOf("store", setting));
    add("statistics.server", TEXT, "address of the statistics server", "");
    SettingLists.statistics().forEach(setting -> addOf("statistics", setting));
    add("invalidations", TEXTS, "the channel of invalidations to other servers", "");
    add("second-level", TEXTS, "the second level that servers share", "");
    SettingLists.backend().forEach(setting -> addOf("backend", setting));
    SettingLists.breaker().forEach(setting -> addOf("backend.breaker", setting));
    add(
        "backends",
        "java.util.Map<java.lang.String,java.util.Map<java.lang.String,java.lang.Object>>",
        "settings of single backends, by name",
        "");
    return properties.values().stream()
        .collect(Collectors.joining(",\n", "{\n  \"properties\": [\n", "\n  ],\n" + hints()));
  }

  private static String hints() {
    String policies =
        hint(
            SharePolicies.all().stream()
                .collect(Collectors.toMap(PolicyInfo::name, PolicyInfo::summary)));
    String stores =
        hint(SettingLists.stores().stream().collect(Collectors.toMap(StoreKind::name, kind -> "")));
    return List.of(
            named("policy", policies),
            named("policy.policy", policies),
            named("store", stores),
            named("store.kind", stores))
        .stream()
        .collect(Collectors.joining(",\n", "  \"hints\": [\n", "\n  ]\n}\n"));
  }

  private static String named(String name, String values) {
    return "    {\n      \"name\": \""
        + CacheProperties.PREFIX
        + "."
        + name
        + "\",\n      \"values\": [\n"
        + values
        + "\n      ],\n      \"providers\": [{ \"name\": \"any\" }]\n    }";
  }

  private static String hint(Map<String, String> values) {
    return new TreeMap<>(values)
        .entrySet().stream()
            .map(
                value ->
                    "        { \"value\": "
                        + quoted(value.getKey())
                        + (value.getValue().isEmpty()
                            ? ""
                            : ", \"description\": " + quoted(value.getValue()))
                        + " }")
            .collect(Collectors.joining(",\n"));
  }

  /** Of several policies that have a setting with one name, the first describes it. */
  private void addOfPolicies(List<Setting> settings) {
    Setting first = settings.get(0);
    boolean agree = settings.stream().map(Setting::standard).distinct().count() == 1;
    String name = "policy." + first.name();
    if (agree) {
      add(name, first);
    } else {
      add(name, type(first), first.meaning() + "; the default depends on the policy", "");
    }
  }

  private void addOf(String group, Setting setting) {
    if (!properties.containsKey(group + "." + setting.name())) {
      add(group + "." + setting.name(), setting);
    }
  }

  private void add(Setting setting) {
    add(setting.name(), setting);
  }

  private void add(String name, Setting setting) {
    add(
        name,
        type(setting),
        setting.meaning() + "; " + setting.range(),
        setting.standard() == null ? "" : setting.write(setting.standard()));
  }

  private static String type(Setting setting) {
    return switch (setting.kind()) {
      case FLAG -> "java.lang.Boolean";
      case WHOLE -> "java.lang.Long";
      default -> TEXT;
    };
  }

  private void add(String name, String type, String meaning, String standard) {
    boolean bare = type.endsWith("Boolean") || type.endsWith("Long");
    properties.put(
        name,
        "    {\n      \"name\": "
            + quoted(CacheProperties.PREFIX + "." + name)
            + ",\n      \"type\": "
            + quoted(type)
            + ",\n      \"description\": "
            + quoted(meaning)
            + (standard.isEmpty()
                ? ""
                : ",\n      \"defaultValue\": " + (bare ? standard : quoted(standard)))
            + "\n    }");
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
