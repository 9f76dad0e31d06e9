/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.canary;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The requests that Manx acts on.
 *
 * @param tables by keyspace; an empty list means all tables of the keyspace, an empty map all
 *     tables
 * @param share the part of the tables' requests
 */
public record CanaryConfig(Map<String, Set<String>> tables, double share) {
  /** Every request. */
  public static final CanaryConfig ALL = new CanaryConfig(Map.of(), 1);

  /** The setting next to the two lists. */
  public static final List<Setting> SETTINGS =
      List.of(
          Setting.share(
              "share", 1, 0, 1, "part of the requests that Manx acts on, drawn for each request"));

  private static final String NAME = "\\w+";
  private static final String TABLES = "tables";
  private static final String KEYSPACES = "keyspaces";

  /** Copies the map. */
  public CanaryConfig {
    tables = Map.copyOf(tables);
  }

  /**
   * Reads the section: a mapping, or a share alone.
   *
   * @throws dev.manx.policy.config.ConfigException if a setting is refused
   */
  public static CanaryConfig read(ConfigNode node) {
    Setting share = SETTINGS.get(0);
    if (!node.isMapping()) {
      return new CanaryConfig(Map.of(), (Double) share.read(node));
    }
    Map<String, Set<String>> tables = new TreeMap<>();
    for (ConfigNode table : items(node, TABLES)) {
      String[] names = table.text().split("\\.", -1);
      if (names.length != 2 || !names[0].matches(NAME) || !names[1].matches(NAME)) {
        throw table.refuse("keyspace.table");
      }
      tables.computeIfAbsent(names[0], keyspace -> new TreeSet<>()).add(names[1]);
    }
    for (ConfigNode keyspace : items(node, KEYSPACES)) {
      if (!keyspace.text().matches(NAME)) {
        throw keyspace.refuse("a keyspace");
      }
      tables.put(keyspace.text(), Set.of());
    }
    // Without a name, lists that were meant to limit the canary would let it act on every table.
    if (tables.isEmpty() && (node.names().contains(TABLES) || node.names().contains(KEYSPACES))) {
      throw node.refuse("at least one name in tables or keyspaces, or neither of the two keys");
    }
    CanaryConfig config = new CanaryConfig(tables, (Double) share.readOr(node, share.standard()));
    node.noOtherKeys();
    return config;
  }

  /**
   * Reads the section as written after its key.
   *
   * @param file the document's name in errors
   * @throws dev.manx.policy.config.ConfigException if it is refused
   */
  public static CanaryConfig parse(String file, String value) {
    ConfigNode top = ConfigNode.parse(file, "canary: " + value);
    CanaryConfig config = read(top.at("canary"));
    top.noOtherKeys();
    return config;
  }

  private static List<ConfigNode> items(ConfigNode node, String key) {
    return node.find(key).map(ConfigNode::items).orElse(List.of());
  }

  /** Whether a share of the table's requests is acted on. */
  public boolean includes(String keyspace, String table) {
    if (tables.isEmpty()) {
      return true;
    }
    Set<String> named = tables.get(keyspace);
    return named != null && (named.isEmpty() || named.contains(table));
  }

  /** The notation after the section's key. */
  public String text() {
    String part = SETTINGS.get(0).write(share);
    if (tables.isEmpty()) {
      return part;
    }
    List<String> keyspaces = new ArrayList<>();
    List<String> single = new ArrayList<>();
    new TreeMap<>(tables)
        .forEach(
            (keyspace, names) -> {
              if (names.isEmpty()) {
                keyspaces.add(keyspace);
              }
              names.forEach(name -> single.add(keyspace + "." + name));
            });
    return "{ keyspaces: " + keyspaces + ", tables: " + single + ", share: " + part + " }";
  }
}
