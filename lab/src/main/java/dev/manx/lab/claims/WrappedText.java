/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Text of Markdown in lines of at most 118 columns; code in backticks stays on one line. */
final class WrappedText {
  private static final int WIDEST = 118;
  private static final Pattern WORD = Pattern.compile("(?:`[^`]*`|[^\\s`])+");

  private WrappedText() {}

  /** One paragraph, with a final line end. */
  static String paragraph(String text) {
    return wrapped("", "", text);
  }

  /** One list item, with a final line end. */
  static String item(String text) {
    return wrapped("* ", "  ", text);
  }

  private static String wrapped(String first, String next, String text) {
    StringBuilder lines = new StringBuilder();
    String line = first;
    boolean begun = false;
    Matcher words = WORD.matcher(text);
    while (words.find()) {
      String word = words.group();
      if (begun && line.length() + 1 + word.length() > WIDEST) {
        lines.append(line).append('\n');
        line = next;
        begun = false;
      }
      line += begun ? " " + word : word;
      begun = true;
    }
    return lines.append(line).append('\n').toString();
  }
}
