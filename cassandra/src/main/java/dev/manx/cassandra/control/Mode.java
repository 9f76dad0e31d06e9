/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.control;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Whether the plugin is out of the path, only computes, or acts. */
public enum Mode {
  /** Off: the hooks are out of the path. */
  OFF,
  /**
   * Measures, tags and decides, and counts decisions that would have differed, but stock's
   * decisions apply.
   */
  SHADOW,
  /** Decisions take effect. */
  ON;

  /** The name in YAML, CQL and JMX. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The mode with a label. */
  public static Optional<Mode> of(String label) {
    return Arrays.stream(values()).filter(mode -> mode.label().equals(label)).findFirst();
  }

  /** All labels, for messages. */
  public static String labels() {
    return "off, shadow, on";
  }
}
