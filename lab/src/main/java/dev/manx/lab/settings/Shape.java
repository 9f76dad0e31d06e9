/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.settings;

import dev.manx.policy.config.ConfigNode;

/** The form of a value in an experiment file. Immutable. */
public sealed interface Shape permits Scalar, Quantity, Items, Named, Section, Forms, Document {
  /**
   * Reads a value of this shape.
   *
   * @throws dev.manx.policy.config.ConfigException if it does not have this shape
   */
  Object read(ConfigNode node);

  /** A value for a resolved file: a text, number, flag, list or mapping. */
  Object written(Object value);
}
