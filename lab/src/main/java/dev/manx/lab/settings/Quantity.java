/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.settings;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Units;
import java.util.List;

/**
 * A value in one of several units: {@code 70%} or {@code 120/s}. It keeps the text of the file,
 * since results are named after it.
 *
 * @param units allowed units with their ranges; the first matching one counts
 * @param allowed all of them in words
 */
public record Quantity(List<Setting> units, String allowed) implements Shape {
  public Quantity {
    units = List.copyOf(units);
  }

  @Override
  public String read(ConfigNode node) {
    String text = node.text();
    for (Setting unit : units) {
      if (isOf(unit, text)) {
        unit.read(node);
        return text;
      }
    }
    throw node.refuse(allowed);
  }

  @Override
  public Object written(Object value) {
    return value;
  }

  private static boolean isOf(Setting unit, String text) {
    return switch (unit.kind()) {
      case RATE -> Units.perSecond(text).isPresent();
      case SHARE -> Units.fraction(text).isPresent();
      case WHOLE -> text.matches("-?[0-9_]+");
      case WORD -> unit.words().contains(text);
      case TEXT -> text.matches(unit.words().get(0));
      case DURATION, DURATION_OR_WORD, SIZE, NUMBER, FLAG -> true;
    };
  }
}
