/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.settings;

import dev.manx.policy.config.ConfigNode;

/**
 * A part that its owner outside of the lab reads, such as a strategy.
 *
 * @param owner names the part in the JSON schema
 * @param allowed what may stand there, in words
 */
public record Document(String owner, String allowed) implements Shape {
  @Override
  public ConfigNode read(ConfigNode node) {
    return node;
  }

  /** What the owner has resolved. */
  @Override
  public Object written(Object value) {
    return value;
  }
}
