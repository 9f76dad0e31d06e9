/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.text;

import java.util.List;

/** Formats numbers and lists as text. */
public final class Words {
  private static final int MOST_NAMES = 6;

  private Words() {}

  /** {@code 1 node}, {@code 12 nodes}. */
  public static String nodes(int count) {
    return count == 1 ? "1 node" : count + " nodes";
  }

  /** Some names of all: {@code all 12 nodes}, or the names, at most six of them. */
  public static String of(List<String> names, int all) {
    if (names.size() == all && all > 1) {
      return "all " + nodes(all);
    }
    if (names.size() <= MOST_NAMES) {
      return String.join(", ", names);
    }
    return String.join(", ", names.subList(0, MOST_NAMES))
        + " and "
        + (names.size() - MOST_NAMES)
        + " more";
  }

  /** A text on one line. */
  public static String line(String text) {
    return String.valueOf(text).replaceAll("\\s+", " ").trim();
  }
}
