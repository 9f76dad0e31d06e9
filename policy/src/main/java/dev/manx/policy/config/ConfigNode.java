/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * One place in a YAML document, with its line: Manx reads all settings through this class.
 *
 * <p>Typed getters refuse a value with {@link ConfigException} (file, line, key, value, allowed).
 * {@link #noOtherKeys()}, which every reader of a mapping calls last, refuses the keys that no
 * reader has read. Confined to one thread.
 */
public final class ConfigNode {
  private final String file;
  private final String key;
  private final Node node;
  private final Map<String, ConfigNode> children = new LinkedHashMap<>();
  private final Set<String> asked = new LinkedHashSet<>();
  private final boolean hasLines;

  private ConfigNode(String file, String key, Node node, boolean hasLines) {
    this.hasLines = hasLines;
    this.file = node.getStartMark().isPresent() ? file : Overrides.LABEL;
    this.key = key;
    this.node = node;
    if (node instanceof MappingNode mapping) {
      for (NodeTuple tuple : mapping.getValue()) {
        String name =
            tuple.getKeyNode() instanceof ScalarNode scalar
                ? scalar.getValue()
                : tuple.getKeyNode().toString();
        ConfigNode child =
            new ConfigNode(
                file, key.isEmpty() ? name : key + "." + name, tuple.getValueNode(), hasLines);
        if (children.put(name, child) != null) {
          throw child.refuse("each key once");
        }
      }
    }
  }

  /**
   * Reads a document.
   *
   * @param file the document's name in errors
   * @throws ConfigException if it is not YAML, is empty, or its top level is not a mapping
   */
  public static ConfigNode parse(String file, String text) {
    return parse(file, text, Map.of());
  }

  /**
   * Reads a document after replacing or adding values, each given by its dotted path and written as
   * YAML; errors about those values name {@code --set} instead of file and line.
   *
   * @throws ConfigException as without overrides, or if a path leads through a single value
   */
  public static ConfigNode parse(String file, String text, Map<String, String> overrides) {
    return new ConfigNode(file, "", compose(file, text, overrides), true);
  }

  /**
   * Reads settings that a program wrote as YAML from a source without lines, for example
   * properties: errors name the source and the key but no line.
   *
   * @throws ConfigException if it is not YAML, is empty, or its top level is not a mapping
   */
  public static ConfigNode parseGenerated(String source, String text) {
    return new ConfigNode(source, "", compose(source, text, Map.of()), false);
  }

  /**
   * The value of a command-line option, as if a file contained it; errors have no line.
   *
   * @param command the command's name in errors
   */
  public static ConfigNode option(String command, String option, String text) {
    return parseGenerated(command, option + ": '" + text.replace("'", "") + "'").at(option);
  }

  private static MappingNode compose(String file, String text, Map<String, String> overrides) {
    // A small document with aliases could expand without bound; settings do not need aliases.
    LoadSettings settings =
        LoadSettings.builder()
            .setLabel(file)
            .setMaxAliasesForCollections(0)
            .setAllowDuplicateKeys(true)
            .build();
    Node top;
    try {
      top = new Compose(settings).composeString(text).orElse(null);
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(0);
      throw new ConfigException(file, line, "", e.getProblem(), "well-formed YAML");
    } catch (YamlEngineException e) {
      throw new ConfigException(file, 0, "", e.getMessage(), "well-formed YAML");
    } catch (StackOverflowError e) {
      throw new ConfigException(file, 0, "", "nested too deeply", "YAML of a few levels");
    }
    if (!(top instanceof MappingNode)) {
      throw new ConfigException(
          file, 1, "", top == null ? "" : "not a mapping", "a YAML mapping of settings");
    }
    Overrides.apply((MappingNode) top, overrides);
    return (MappingNode) top;
  }

  /** Dotted path from the top of the document; empty at the top. */
  public String key() {
    return key;
  }

  /** The document's name. */
  public String file() {
    return file;
  }

  /** 1-based line where the value starts; 0 if its source has no lines. */
  public int line() {
    return !hasLines ? 0 : node.getStartMark().map(mark -> mark.getLine() + 1).orElse(0);
  }

  /** Whether the command line gave the value, instead of the document. */
  public boolean isOverride() {
    return node.getStartMark().isEmpty();
  }

  /** Whether this is a mapping. */
  public boolean isMapping() {
    return node instanceof MappingNode;
  }

  /** Whether this is a list. */
  public boolean isList() {
    return node instanceof SequenceNode;
  }

  /** Names of the keys, in the document's order; listing them does not count as reading them. */
  public Set<String> names() {
    mapping();
    return children.keySet();
  }

  /** The value at a key; the key must exist. */
  public ConfigNode at(String name) {
    return find(name)
        .orElseThrow(
            () ->
                new ConfigException(
                    file, line(), key.isEmpty() ? name : key + "." + name, null, "a value"));
  }

  /** The mapping at a key, which must exist; without a value it is a mapping without keys. */
  public ConfigNode mappingAt(String name) {
    ConfigNode child = children.get(name);
    if (child == null || !child.isBlank()) {
      return at(name);
    }
    asked.add(name);
    Node empty =
        new MappingNode(
            Tag.MAP,
            true,
            List.of(),
            FlowStyle.FLOW,
            child.node.getStartMark(),
            child.node.getEndMark());
    return new ConfigNode(file, child.key, empty, hasLines);
  }

  /** Like {@link #mappingAt}, if the key exists. */
  public Optional<ConfigNode> findMapping(String name) {
    return find(name).isPresent() || children.containsKey(name)
        ? Optional.of(mappingAt(name))
        : Optional.empty();
  }

  /**
   * Like {@link #find}, but refuses a key without a value: for settings whose absence leaves
   * something unprotected or switched off, which a value left out by mistake must not do.
   */
  public Optional<ConfigNode> findGiven(String name) {
    Optional<ConfigNode> found = find(name);
    if (found.isEmpty() && children.containsKey(name)) {
      throw children.get(name).refuse("a value; without one, remove the key");
    }
    return found;
  }

  /** The value at a key, if it exists and is not null. */
  public Optional<ConfigNode> find(String name) {
    mapping();
    asked.add(name);
    return Optional.ofNullable(children.get(name)).filter(child -> !child.isNull());
  }

  /** The entries of a list; a single value counts as a list of one. */
  public List<ConfigNode> items() {
    if (!(node instanceof SequenceNode sequence)) {
      return List.of(this);
    }
    List<ConfigNode> items = new ArrayList<>();
    for (Node item : sequence.getValue()) {
      items.add(new ConfigNode(file, key + "[" + items.size() + "]", item, hasLines));
    }
    return items;
  }

  /** The text as written. */
  public String text() {
    if (node instanceof ScalarNode scalar) {
      return scalar.getValue();
    }
    throw refuse("a single value");
  }

  /** One of the given words. */
  public String oneOf(String... words) {
    String text = text();
    for (String word : words) {
      if (word.equals(text)) {
        return text;
      }
    }
    throw refuse("one of " + String.join(", ", words));
  }

  /** {@code true} or {@code false}. */
  public boolean flag() {
    return oneOf("true", "false").equals("true");
  }

  /** A whole number in [min, max]; underscores may group digits. */
  public long integer(long min, long max) {
    try {
      long value = Long.parseLong(text().replace("_", ""));
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      // refused below with the same words as a number out of range
    }
    throw refuse("a whole number from " + min + " to " + max);
  }

  /** A number in [min, max]. */
  public double number(double min, double max) {
    try {
      double value = Double.parseDouble(text());
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      // refused below with the same words as a number out of range
    }
    throw refuse("a number from " + min + " to " + max);
  }

  /** A share such as {@code 5%} or {@code 0.05}, in [min, max]. */
  public double fraction(double min, double max) {
    OptionalDouble value = Units.fraction(text());
    if (value.isPresent() && value.getAsDouble() >= min && value.getAsDouble() <= max) {
      return value.getAsDouble();
    }
    throw refuse("a share from " + min + " to " + max + " (5% or 0.05)");
  }

  /** A duration such as {@code 5ms}, in [min, max] nanoseconds. */
  public long durationNanos(long min, long max) {
    OptionalLong value = Units.durationNanos(text());
    if (value.isPresent() && value.getAsLong() >= min && value.getAsLong() <= max) {
      return value.getAsLong();
    }
    throw refuse(
        "a duration from " + Units.bound(min) + " to " + Units.bound(max) + " (ns us ms s min h)");
  }

  /** A size such as {@code 64KiB}, in [min, max] bytes. */
  public long bytes(long min, long max) {
    OptionalLong value = Units.bytes(text());
    if (value.isPresent() && value.getAsLong() >= min && value.getAsLong() <= max) {
      return value.getAsLong();
    }
    throw refuse(
        "a size from "
            + Units.boundBytes(min)
            + " to "
            + Units.boundBytes(max)
            + " (B KiB MiB GiB TiB kB MB GB)");
  }

  /** A rate such as {@code 2k/s}, in [min, max] per second. */
  public double perSecond(double min, double max) {
    OptionalDouble value = Units.perSecond(text());
    if (value.isPresent() && value.getAsDouble() >= min && value.getAsDouble() <= max) {
      return value.getAsDouble();
    }
    throw refuse("a rate from " + min + "/s to " + max + "/s (/s k/s M/s /min)");
  }

  /** Refuses every key of this mapping that no reader has read, and names the valid keys. */
  public void noOtherKeys() {
    mapping();
    children.forEach(
        (name, child) -> {
          if (!asked.contains(name)) {
            throw ConfigException.unknownKey(child.file, child.line(), child.key, asked);
          }
        });
  }

  /** The exception that refuses this value; for readers with rules of their own. */
  public ConfigException refuse(String allowed) {
    return new ConfigException(file, line(), key, words(), allowed);
  }

  /**
   * The exception that refuses this value although it is valid on its own.
   *
   * @param why a sentence's worth, for example {@code "select.c3 needs service-time in facts"}
   */
  public ConfigException refuseBecause(String why) {
    return ConfigException.because(file, line(), key, words(), why);
  }

  private void mapping() {
    if (!isMapping()) {
      throw refuse("a mapping (key: value)");
    }
  }

  private boolean isNull() {
    return node instanceof ScalarNode scalar && scalar.getTag().equals(Tag.NULL);
  }

  /** Whether there is no value; properties have the empty text instead of null. */
  private boolean isBlank() {
    return isNull() || node instanceof ScalarNode scalar && scalar.getValue().isEmpty();
  }

  private String words() {
    if (node instanceof ScalarNode scalar) {
      return scalar.getValue();
    }
    return isMapping() ? "{" + String.join(", ", children.keySet()) + "}" : "a list";
  }
}
