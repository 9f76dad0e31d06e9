/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.config;

import java.util.regex.Pattern;

/** Texts as YAML. */
public final class YamlScalar {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./+-][A-Za-z0-9_./%+ -]*");
  private static final Pattern WORD = Pattern.compile("(?i)null|~|-|---");

  private YamlScalar() {}

  /** A text as a scalar on one line, quoted if it would be read as anything else. */
  public static String of(String text) {
    if (PLAIN.matcher(text).matches()
        && !text.endsWith(" ")
        && !text.startsWith("- ")
        && !WORD.matcher(text).matches()) {
      return text;
    }
    StringBuilder out = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\t' -> out.append("\\t");
        case '\r' -> out.append("\\r");
        default -> out.append(isPrintable(c) ? c : String.format("\\u%04x", (int) c));
      }
    }
    return out.append('"').toString();
  }

  /**
   * Whether a character may stand in a scalar; others are invalid in a document, or would end a
   * line.
   */
  private static boolean isPrintable(char c) {
    return c >= ' ' && (c < 0x7f || c > 0x9f) && c != 0x2028 && c != 0x2029 && c < 0xfefe;
  }
}
