/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.settings;

import dev.manx.policy.config.ConfigNode;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A mapping whose keys are names chosen in the file.
 *
 * @param form of a name, as a regular expression
 * @param allowed form of a name in words
 * @param each shape of each value
 */
public record Named(String form, String allowed, Shape each) implements Shape {
  @Override
  public Map<String, Object> read(ConfigNode node) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (String name : node.names()) {
      if (!name.matches(form)) {
        throw node.at(name).refuse(allowed);
      }
      values.put(name, each.read(node.at(name)));
    }
    return values;
  }

  @Override
  public Map<String, Object> written(Object value) {
    Map<String, Object> out = new LinkedHashMap<>();
    ((Map<?, ?>) value).forEach((name, one) -> out.put(name.toString(), each.written(one)));
    return out;
  }
}
