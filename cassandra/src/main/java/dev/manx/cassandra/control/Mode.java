/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.control;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Whether the plugin is out of the path, computes only, or acts. */
public enum Mode {
  /** Nothing: the hooks are out of the path. */
  OFF,
  /**
   * Measures, tags and decides, and counts what would have changed, but every decision is stock's.
   */
  SHADOW,
  /** Decides. */
  ON;

  /** The name in YAML, CQL and JMX. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The mode of a label. */
  public static Optional<Mode> of(String label) {
    return Arrays.stream(values()).filter(mode -> mode.label().equals(label)).findFirst();
  }

  /** All labels, for messages. */
  public static String labels() {
    return "off, shadow, on";
  }
}
