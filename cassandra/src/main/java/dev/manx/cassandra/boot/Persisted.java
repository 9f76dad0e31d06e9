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
  // Read by the status, which must not wait for a disk.
  private volatile Shown shown = new Shown(Rows.NONE, "");

  /**
   * The rows that precede the file, and the reason why those on disk do not.
   *
   * @param ignored empty if they do
   */
  private record Shown(Rows rows, String ignored) {}

  /**
   * The persisted switches.
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
     * Whether a node can take the values, apart from what depends on its other settings.
     *
     * @throws ConfigException if it cannot
     */
    void judge() {
      record(RecordConfig.NONE);
      node(MODE).ifPresent(node -> node.oneOf("off", "shadow", "on"));
      node(PluginConfig.CALM_AFTER).ifPresent(PluginConfig::calmAfterNanos);
      node(PluginConfig.CANARY).ifPresent(node -> CanaryConfig.parse(node.file(), node.text()));
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
    shown = new Shown(used, "");
  }

  /** Takes up the rows on disk again; none if they cannot be read. */
  synchronized void useAgain() {
    try {
      use(read());
    } catch (ConfigException e) {
      ignore(e.getMessage());
    }
  }

  /** The node does without them. */
  synchronized void ignore(String why) {
    shown = new Shown(Rows.NONE, why);
  }

  /**
   * Adds rows, with the value that each has now, to those on disk.
   *
   * @throws ConfigException or {@link IllegalStateException} if they cannot be written; what was
   *     persisted stays then
   */
  synchronized void add(Map<String, String> values) {
    if (!shown.ignored.isEmpty()) {
      throw new IllegalStateException(
          "the persisted switches cannot be used ("
              + shown.ignored
              + "); delete them first: 'reset', or ./manx ctl reset-persisted");
    }
    Map<String, String> all = new TreeMap<>(read().values());
    all.putAll(values);
    use(write(all));
  }

  /**
   * Removes rows from those on disk; all if none is named.
   *
   * @throws ConfigException or {@link IllegalStateException} if that cannot be written; what was
   *     persisted stays then
   */
  synchronized void remove(List<String> names) {
    if (names.isEmpty()) {
      file.delete();
      use(Rows.NONE);
      return;
    }
    Map<String, String> left = new TreeMap<>(read().values());
    left.keySet().removeAll(names);
    use(write(left));
  }

  /** Whether what is on disk may switch the node on when it starts; by what was read last. */
  boolean maySwitchOn() {
    Shown now = shown;
    return !now.ignored.isEmpty()
        || now.rows.values().containsKey(MODE) && !now.rows.values().get(MODE).equals("off");
  }

  /**
   * Removes the mode from what is on disk, whether the node uses it or not. A file that cannot be
   * read, or whose rest no node can take, is set aside.
   *
   * @return whether there was one
   * @throws IllegalStateException if that cannot be written
   */
  synchronized boolean endMode() {
    Map<String, String> left;
    try {
      left = new TreeMap<>(read().values());
    } catch (ConfigException e) {
      file.setAside();
      return true;
    }
    if (left.remove(MODE) == null) {
      return false;
    }
    try {
      Rows written = write(left);
      if (shown.ignored.isEmpty()) {
        use(written);
      }
    } catch (ConfigException e) {
      file.setAside();
    }
    return true;
  }

  private Rows write(Map<String, String> values) {
    if (values.isEmpty()) {
      file.delete();
      return Rows.NONE;
    }
    String since = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    Map<String, String> all = new TreeMap<>(values);
    all.put(SINCE, since);
    String text = PersistedFile.text(all);
    Rows next = Rows.parse(file.toString(), text);
    if (!next.values().equals(values)) {
      throw new IllegalStateException("not persisted: the value would not read back unchanged");
    }
    next.judge();
    file.write(text);
    return next;
  }

  /** The persisted value of a row. */
  Optional<String> value(String name) {
    return Optional.ofNullable(shown.rows.values().get(name));
  }

  /** The rows of {@code manx.strategy}. */
  Map<String, String> describe() {
    Shown now = shown;
    Map<String, String> all = new TreeMap<>();
    now.rows.values().forEach((name, value) -> all.put("persisted." + name, value));
    String words = now.rows.isEmpty() ? "" : now.rows.words() + " in " + file;
    all.put("persisted", now.ignored.isEmpty() ? words : "ignored: " + now.ignored);
    return all;
  }
}
