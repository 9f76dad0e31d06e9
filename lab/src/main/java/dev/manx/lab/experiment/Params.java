/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** The column {@code params} of metrics.csv: {@code name=value} pairs joined by {@code ;}. */
public final class Params {
  private Params() {}

  /** The pairs in their order; a part without {@code =} is a name with an empty value. */
  public static Map<String, String> of(String text) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String part : text.split(";", -1)) {
      int at = part.indexOf('=');
      if (at >= 0) {
        pairs.put(part.substring(0, at).trim(), part.substring(at + 1).trim());
      } else if (!part.isBlank()) {
        pairs.put(part.trim(), "");
      }
    }
    return pairs;
  }

  /** The number in a pair; empty if there is none. */
  public static OptionalDouble number(Map<String, String> pairs, String name) {
    try {
      double value = Double.parseDouble(pairs.getOrDefault(name, ""));
      return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
    } catch (NumberFormatException e) {
      return OptionalDouble.empty();
    }
  }

  /**
   * A short form for users: {@code zipf=1.5} for {@code workload.zipf=1.5}, a point by its name
   * alone.
   */
  public static String shortly(String text) {
    List<String> parts = new ArrayList<>();
    of(text)
        .forEach(
            (key, value) ->
                parts.add(
                    key.equals(SweepPoint.POINT)
                        ? value
                        : key.substring(key.lastIndexOf('.') + 1) + "=" + value));
    return String.join(", ", parts);
  }

  /** All pairs except one, as in the column. */
  public static String without(Map<String, String> pairs, String name) {
    List<String> parts = new ArrayList<>();
    pairs.forEach(
        (key, value) -> {
          if (!key.equals(name)) {
            parts.add(key + "=" + value);
          }
        });
    return String.join(";", parts);
  }
}
