/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.canary;

import dev.manx.operate.text.Words;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Units;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The requests that Manx acts on, as set by {@code plugin.canary}.
 *
 * @param keyspaces keyspaces with all their tables
 * @param tables further tables, {@code keyspace.table}; all tables if both sets are empty
 * @param share the fraction of their requests, 0 to 1
 */
public record CanaryChoice(Set<String> keyspaces, Set<String> tables, double share) {
  /** The words for all tables. */
  public static final String ALL_TABLES = "all tables";

  /** All requests. */
  public static final CanaryChoice ALL = new CanaryChoice(Set.of(), Set.of(), 1);

  /** Drops tables whose keyspace is already included. */
  public CanaryChoice {
    keyspaces = Set.copyOf(keyspaces);
    Set<String> whole = keyspaces;
    tables =
        tables.stream()
            .filter(table -> !whole.contains(table.split("\\.", 2)[0]))
            .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Parses the value shown by a node.
   *
   * @throws ConfigException if it cannot be parsed, for example from another version
   */
  public static CanaryChoice parse(String shown) {
    ConfigNode node = ConfigNode.parse("manx.strategy", "canary: " + shown).at("canary");
    if (!node.isMapping()) {
      return new CanaryChoice(Set.of(), Set.of(), share(node));
    }
    CanaryChoice choice =
        new CanaryChoice(
            names(node, "keyspaces"),
            names(node, "tables"),
            node.find("share").map(CanaryChoice::share).orElse(1.0));
    node.noOtherKeys();
    return choice;
  }

  private static double share(ConfigNode node) {
    return Units.fraction(node.text()).orElseThrow(() -> node.refuse("a share, such as 10%"));
  }

  private static Set<String> names(ConfigNode node, String key) {
    Set<String> names = new TreeSet<>();
    node.find(key).map(ConfigNode::items).orElse(List.of()).forEach(item -> names.add(item.text()));
    return names;
  }

  /** In the form that a node accepts. */
  public String value() {
    String part = BigDecimal.valueOf(share).toPlainString();
    // A node refuses lists without a name.
    return keyspaces.isEmpty() && tables.isEmpty()
        ? part
        : "{ keyspaces: "
            + new TreeSet<>(keyspaces)
            + ", tables: "
            + new TreeSet<>(tables)
            + ", share: "
            + part
            + " }";
  }

  /** Human-readable: {@code 10% of shop.carts, users.*}. */
  public String words() {
    if (equals(ALL)) {
      return "none: all requests";
    }
    String part = String.format(Locale.ROOT, "%.4f", share * 100).replaceAll("\\.?0+$", "");
    return part + "% of " + String.join(", ", names());
  }

  private List<String> names() {
    Set<String> names = new TreeSet<>(tables);
    keyspaces.forEach(keyspace -> names.add(keyspace + ".*"));
    return names.isEmpty() ? List.of(ALL_TABLES) : List.copyOf(names);
  }

  /**
   * The tables of a node's value: {@code shop.carts, users.*}, at most six of them, or {@link
   * #ALL_TABLES}.
   */
  public static String tables(String shown) {
    try {
      return shown.isEmpty() ? ALL_TABLES : Words.of(parse(shown).names(), 0);
    } catch (ConfigException e) {
      return shown;
    }
  }

  /** A readable form of a node's value; an unparsable value is returned unchanged. */
  public static String words(String shown) {
    if (shown.isEmpty()) {
      return "";
    }
    try {
      return parse(shown).words();
    } catch (ConfigException e) {
      return shown;
    }
  }
}
