/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.canary.CanaryConfig;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.record.RecordConfig;
import dev.manx.policy.NanoClock;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.strategy.Blueprint;
import dev.manx.policy.strategy.Host;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The switches in a persisted file: rows of {@code manx.strategy}, validated on use.
 *
 * @param top the document; null for none
 * @param since the time of writing; empty if the file was not written
 * @param values by name of the row
 */
record PersistedRows(ConfigNode top, String since, Map<String, String> values) {
  static final String MODE = "mode";
  static final String DOCUMENT = "document";
  static final String RECORD = "record";

  /** The rows that can be persisted. */
  static final List<String> NAMES =
      List.of(MODE, DOCUMENT, RECORD, PluginConfig.CALM_AFTER, PluginConfig.CANARY);

  /** The key of the time of the last write. */
  static final String SINCE = "since";

  static final PersistedRows NONE = new PersistedRows(null, "", Map.of());

  /** The rows of a file's text; none if there is no file. */
  static PersistedRows of(PersistedFile file, Optional<String> text) {
    return text.map(one -> parse(file.toString(), one)).orElse(NONE);
  }

  static PersistedRows parse(String file, String text) {
    ConfigNode top = ConfigNode.parse(file, text);
    Map<String, String> values = new TreeMap<>();
    String since = top.at(SINCE).text();
    for (String name : NAMES) {
      top.find(name).ifPresent(node -> values.put(name, node.text()));
    }
    top.noOtherKeys();
    return new PersistedRows(top, since, values);
  }

  boolean isEmpty() {
    return values.isEmpty();
  }

  /** The names of the persisted rows and the time of the last write. */
  String words() {
    List<String> names = new ArrayList<>(NAMES);
    names.retainAll(values.keySet());
    return String.join(", ", names) + " since " + since;
  }

  PluginConfig plugin(PluginConfig own) {
    Mode mode =
        node(MODE)
            .map(node -> Mode.of(node.oneOf("off", "shadow", "on")).orElseThrow())
            .filter(persisted -> own.mode() != Mode.OFF)
            .orElse(own.mode());
    long calm =
        node(PluginConfig.CALM_AFTER)
            .map(PluginConfig::calmAfterNanos)
            .orElse(own.calmAfterNanos());
    CanaryConfig canary =
        node(PluginConfig.CANARY)
            .map(node -> CanaryConfig.parse(node.file(), node.text()))
            .orElse(own.canary());
    return own.with(mode, calm, canary);
  }

  RecordConfig record(RecordConfig own) {
    return node(RECORD).map(node -> own.switched(node.text(), node)).orElse(own);
  }

  /**
   * Checks the values, except for limits that depend on a node's other settings.
   *
   * @throws ConfigException if a value is refused
   */
  void judge() {
    record(RecordConfig.NONE);
    node(MODE).ifPresent(node -> node.oneOf("off", "shadow", "on"));
    node(PluginConfig.CALM_AFTER).ifPresent(PluginConfig::calmAfterNanos);
    node(PluginConfig.CANARY).ifPresent(node -> CanaryConfig.parse(node.file(), node.text()));
  }

  Optional<Blueprint> strategy(NanoClock clock) {
    return node(DOCUMENT).map(node -> Blueprint.parse(node.file(), node.text(), Host.node(clock)));
  }

  private Optional<ConfigNode> node(String name) {
    return Optional.ofNullable(top).flatMap(document -> document.find(name));
  }
}
