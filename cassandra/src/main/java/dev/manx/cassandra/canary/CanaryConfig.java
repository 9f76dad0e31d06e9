/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.canary;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.NodeSettings;
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

  private static final Setting SHARE = NodeSettings.CANARY_SHARE;

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
    if (!node.isMapping()) {
      return new CanaryConfig(Map.of(), (Double) SHARE.read(node));
    }
    Map<String, Set<String>> tables = new TreeMap<>();
    for (String table : items(node, NodeSettings.CANARY_TABLE)) {
      String[] names = table.split("\\.", -1);
      tables.computeIfAbsent(names[0], keyspace -> new TreeSet<>()).add(names[1]);
    }
    for (String keyspace : items(node, NodeSettings.CANARY_KEYSPACE)) {
      tables.put(keyspace, Set.of());
    }
    // Without a name, lists that were meant to limit the canary would let it act on every table.
    if (tables.isEmpty()
        && (node.names().contains(NodeSettings.CANARY_TABLE.name())
            || node.names().contains(NodeSettings.CANARY_KEYSPACE.name()))) {
      throw node.refuse("at least one name in tables or keyspaces, or neither of the two keys");
    }
    Object share = node.findGiven(SHARE.name()).map(SHARE::read).orElse(SHARE.standard());
    CanaryConfig config = new CanaryConfig(tables, (Double) share);
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

  private static List<String> items(ConfigNode node, Setting each) {
    return node.find(each.name()).map(ConfigNode::items).orElse(List.of()).stream()
        .map(item -> (String) each.read(item))
        .toList();
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
    String part = SHARE.write(share);
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
