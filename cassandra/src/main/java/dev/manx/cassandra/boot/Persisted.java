/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.canary.CanaryConfig;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.record.RecordConfig;
import dev.manx.policy.NanoClock;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.strategy.Blueprint;
import dev.manx.policy.strategy.Host;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Switches that an operator made on the running node and that are to survive a restart: rows of
 * {@code manx.strategy} in a file of their own next to {@code manx.yaml}, which is never written.
 * They precede it when the node starts, and when it reads its configuration again. Any thread.
 */
final class Persisted {
  static final String MODE = "mode";
  static final String DOCUMENT = "document";
  static final String RECORD = "record";

  /** The rows that can be persisted. */
  static final List<String> NAMES =
      List.of(MODE, DOCUMENT, RECORD, PluginConfig.CALM_AFTER, PluginConfig.CANARY);

  private static final String SINCE = "since";

  private final PersistedFile file;
  private Rows rows = Rows.NONE;
  private String ignored = "";

  /**
   * What is persisted.
   *
   * @param top the document; null for none
   * @param since when it was written; empty if nothing was
   * @param values by name of the row
   */
  record Rows(ConfigNode top, String since, Map<String, String> values) {
    static final Rows NONE = new Rows(null, "", Map.of());

    static Rows parse(String file, String text) {
      ConfigNode top = ConfigNode.parse(file, text);
      Map<String, String> values = new TreeMap<>();
      String since = top.at(SINCE).text();
      for (String name : NAMES) {
        top.find(name).ifPresent(node -> values.put(name, node.text()));
      }
      top.noOtherKeys();
      return new Rows(top, since, values);
    }

    boolean isEmpty() {
      return values.isEmpty();
    }

    /** What is persisted, and since when. */
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

    Optional<Blueprint> strategy(NanoClock clock) {
      return node(DOCUMENT)
          .map(node -> Blueprint.parse(node.file(), node.text(), Host.node(clock)));
    }

    private Optional<ConfigNode> node(String name) {
      return Optional.ofNullable(top).flatMap(document -> document.find(name));
    }
  }

  Persisted(Path path) {
    file = new PersistedFile(path);
  }

  /**
   * Reads the file again.
   *
   * @return none if there is no file
   * @throws ConfigException if it cannot be read
   */
  synchronized Rows read() {
    return file.read().map(text -> Rows.parse(file.toString(), text)).orElse(Rows.NONE);
  }

  /** These precede the file from now on. */
  synchronized void use(Rows used) {
    rows = used;
    ignored = "";
  }

  /** The node does without them. */
  synchronized void ignore(String why) {
    rows = Rows.NONE;
    ignored = why;
  }

  /**
   * Adds rows, with the value that each has now.
   *
   * @throws IllegalStateException if they cannot be written; what was persisted stays then
   */
  synchronized void add(Map<String, String> values) {
    if (!ignored.isEmpty()) {
      throw new IllegalStateException(
          "what was persisted before cannot be used ("
              + ignored
              + "); end it first: 'reset', or ./manx ctl reset-persisted");
    }
    Map<String, String> all = new TreeMap<>(rows.values());
    all.putAll(values);
    write(all);
  }

  /**
   * Removes rows; all if none is named.
   *
   * @throws IllegalStateException if that cannot be written; what was persisted stays then
   */
  synchronized void remove(List<String> names) {
    Map<String, String> left = new TreeMap<>(rows.values());
    left.keySet().removeAll(names);
    write(names.isEmpty() ? Map.of() : left);
  }

  private void write(Map<String, String> values) {
    if (values.isEmpty()) {
      file.delete();
      use(Rows.NONE);
      return;
    }
    String since = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    Map<String, String> all = new TreeMap<>(values);
    all.put(SINCE, since);
    String text = PersistedFile.text(all);
    Rows next = Rows.parse(file.toString(), text);
    if (!next.values().equals(values)) {
      throw new IllegalStateException("not persisted: it cannot be read back as it is");
    }
    file.write(text);
    use(next);
  }

  /** What is persisted under a name. */
  synchronized Optional<String> value(String name) {
    return Optional.ofNullable(rows.values().get(name));
  }

  /** The rows of {@code manx.strategy}. */
  synchronized Map<String, String> describe() {
    Map<String, String> shown = new TreeMap<>();
    rows.values().forEach((name, value) -> shown.put("persisted." + name, value));
    String words = rows.isEmpty() ? "" : rows.words() + " in " + file;
    shown.put("persisted", ignored.isEmpty() ? words : "ignored: " + ignored);
    return shown;
  }
}
