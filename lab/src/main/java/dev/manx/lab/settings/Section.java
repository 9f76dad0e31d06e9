/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.settings;

import dev.manx.policy.config.ConfigNode;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A mapping of known keys. Other keys are refused; a resolved file has the keys in this order.
 *
 * @param keys in the order of the reference
 */
public record Section(List<Key> keys) implements Shape {
  public Section {
    keys = List.copyOf(keys);
    if (keys.stream().map(Key::name).distinct().count() < keys.size()) {
      throw new IllegalArgumentException("a key twice in " + keys);
    }
  }

  public static Section of(Key... keys) {
    return new Section(Arrays.asList(keys));
  }

  /** Returns this mapping with further keys at the end. */
  public Section and(Key... further) {
    return new Section(Stream.concat(keys.stream(), Arrays.stream(further)).toList());
  }

  public Optional<Key> key(String name) {
    return keys.stream().filter(key -> key.name().equals(name)).findFirst();
  }

  @Override
  public Part read(ConfigNode node) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (Key key : keys) {
      node.find(key.name());
    }
    node.noOtherKeys();
    for (Key key : keys) {
      Optional<ConfigNode> found = node.find(key.name());
      if (found.isPresent()) {
        values.put(key.name(), key.shape().read(found.get()));
      } else if (key.presence() == Key.Presence.REQUIRED) {
        node.at(key.name());
      } else {
        values.put(key.name(), key.absent());
      }
    }
    return new Part(this, node, values);
  }

  /** The values of a missing mapping. */
  Part empty() {
    Map<String, Object> values = new LinkedHashMap<>();
    keys.forEach(key -> values.put(key.name(), key.absent()));
    return new Part(this, null, values);
  }

  /**
   * Values by name, in the form of a resolved file; nulls are left out, and nodes of the file are
   * copied.
   */
  @Override
  public Map<String, Object> written(Object value) {
    Map<?, ?> values = value instanceof Part part ? part.values() : (Map<?, ?>) value;
    Map<String, Object> out = new LinkedHashMap<>();
    for (Key key : keys) {
      Object one = values.get(key.name());
      if (one != null && (key.isWritten() || !one.equals(key.standard()))) {
        out.put(
            key.name(),
            one instanceof ConfigNode node ? YamlText.tree(node) : key.shape().written(one));
      }
    }
    for (Object name : values.keySet()) {
      if (key(name.toString()).isEmpty()) {
        throw new IllegalArgumentException("there is no key " + name + " in " + keys);
      }
    }
    return out;
  }
}
