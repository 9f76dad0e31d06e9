/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.settings;

import dev.manx.policy.config.ConfigNode;
import java.util.List;

/**
 * A list; a single value counts as a list of one.
 *
 * @param item shape of each entry
 */
public record Items(Shape item) implements Shape {
  @Override
  public List<?> read(ConfigNode node) {
    return node.items().stream().map(item::read).toList();
  }

  @Override
  public List<?> written(Object value) {
    return ((List<?>) value).stream().map(item::written).toList();
  }
}
