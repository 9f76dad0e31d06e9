/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.settings;

import dev.manx.policy.config.ConfigNode;

/**
 * A part of the file that is read by its owner outside the lab, such as a strategy.
 *
 * @param owner names the part in the JSON schema
 * @param allowed allowed values, in words
 */
public record Document(String owner, String allowed) implements Shape {
  @Override
  public ConfigNode read(ConfigNode node) {
    return node;
  }

  /** The part as resolved by its owner. */
  @Override
  public Object written(Object value) {
    return value;
  }
}
