/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Puts values of the command line into a document before it is read. A key may contain dots, like
 * the name of an arm: at each step of a path the longest key that exists counts. The nodes made
 * here have no marks, by which {@link ConfigNode} recognizes them.
 */
final class Overrides {
  /** The name that errors give instead of a file. */
  static final String LABEL = "--set";

  private Overrides() {}

  static void apply(MappingNode top, Map<String, String> overrides) {
    overrides.forEach((path, value) -> put(top, path, value));
  }

  private static void put(MappingNode top, String path, String value) {
    MappingNode at = top;
    String rest = path;
    for (String name = first(at, rest); !name.equals(rest); name = first(at, rest)) {
      rest = rest.substring(name.length() + 1);
      Node next = find(at, name);
      if (next == null || next.getTag().equals(Tag.NULL)) {
        next = new MappingNode(Tag.MAP, new ArrayList<>(), FlowStyle.BLOCK);
        replace(at, name, next);
      }
      if (!(next instanceof MappingNode mapping)) {
        throw new ConfigException(
            LABEL, 0, path, value, "a path of keys; '" + name + "' holds a single value or a list");
      }
      at = mapping;
    }
    replace(at, rest, compose(path, value));
  }

  /** The longest beginning of a path that is a key of the mapping, or else the first name. */
  private static String first(MappingNode mapping, String path) {
    for (int end = path.length(); end > 0; end = path.lastIndexOf('.', end - 1)) {
      if (find(mapping, path.substring(0, end)) != null) {
        return path.substring(0, end);
      }
    }
    int dot = path.indexOf('.');
    return dot < 0 ? path : path.substring(0, dot);
  }

  private static Node find(MappingNode mapping, String name) {
    for (NodeTuple tuple : mapping.getValue()) {
      if (isKey(tuple, name)) {
        return tuple.getValueNode();
      }
    }
    return null;
  }

  private static void replace(MappingNode mapping, String name, Node value) {
    List<NodeTuple> tuples = new ArrayList<>(mapping.getValue());
    NodeTuple made = new NodeTuple(new ScalarNode(Tag.STR, name, ScalarStyle.PLAIN), value);
    for (int i = 0; i < tuples.size(); i++) {
      if (isKey(tuples.get(i), name)) {
        tuples.set(i, made);
        mapping.setValue(tuples);
        return;
      }
    }
    tuples.add(made);
    mapping.setValue(tuples);
  }

  private static boolean isKey(NodeTuple tuple, String name) {
    return tuple.getKeyNode() instanceof ScalarNode scalar && scalar.getValue().equals(name);
  }

  private static Node compose(String path, String value) {
    LoadSettings settings =
        LoadSettings.builder().setUseMarks(false).setMaxAliasesForCollections(0).build();
    try {
      return new Compose(settings)
          .composeString(value)
          .orElseGet(() -> new ScalarNode(Tag.NULL, "", ScalarStyle.PLAIN));
    } catch (YamlEngineException e) {
      throw new ConfigException(LABEL, 0, path, value, "well-formed YAML");
    }
  }
}
