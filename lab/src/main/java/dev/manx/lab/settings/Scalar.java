/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.settings;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;

/**
 * A single value.
 *
 * @param setting its kind and range
 * @param inMebibytes whether a resolved file writes whole mebibytes of a size as mebibytes
 */
public record Scalar(Setting setting, boolean inMebibytes) implements Shape {
  private static final int MIB = 1 << 20;

  @Override
  public Object read(ConfigNode node) {
    return setting.read(node);
  }

  public Scalar(Setting setting) {
    this(setting, false);
  }

  /**
   * The exact value, so that reading it gives an equal one: sizes in bytes, shares as numbers, text
   * unchanged.
   */
  @Override
  public Object written(Object value) {
    if (value instanceof String) {
      return value;
    }
    return switch (setting.kind()) {
      case SIZE -> size((Number) value);
      case RATE -> YamlText.plain(value) + "/s";
      case DURATION, DURATION_OR_WORD -> setting.write(value);
      case SHARE, WHOLE, NUMBER, FLAG, WORD, TEXT -> value;
    };
  }

  private String size(Number bytes) {
    return inMebibytes && bytes.longValue() % MIB == 0
        ? bytes.longValue() / MIB + "MiB"
        : bytes + "B";
  }
}
