/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.settings;

import dev.manx.policy.config.ConfigNode;

/** What may stand at a place of an experiment file. Immutable. */
public sealed interface Shape permits Scalar, Quantity, Items, Named, Section, Forms, Document {
  /**
   * Reads a value of this shape.
   *
   * @throws dev.manx.policy.config.ConfigException if it is not one
   */
  Object read(ConfigNode node);

  /** A value as it is written in a resolved file: a text, number, flag, list or mapping. */
  Object written(Object value);
}
