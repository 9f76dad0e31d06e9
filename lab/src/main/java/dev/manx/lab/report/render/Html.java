/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report.render;

/** Builds HTML; all text from files passes through {@link #text} or an attribute. */
final class Html {
  private final StringBuilder out = new StringBuilder();

  /** Text with HTML's special characters escaped, for content and quoted attributes. */
  static String escape(String text) {
    StringBuilder safe = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> safe.append("&amp;");
        case '<' -> safe.append("&lt;");
        case '>' -> safe.append("&gt;");
        case '"' -> safe.append("&quot;");
        case '\'' -> safe.append("&#39;");
        default -> safe.append(c);
      }
    }
    return safe.toString();
  }

  /** JSON for a script element, without characters that could end the element. */
  static String json(String json) {
    return json.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
  }

  /**
   * Opens an element.
   *
   * @param attributes name, value, name, value; values are escaped, and empty ones omitted
   */
  Html open(String tag, String... attributes) {
    out.append('<').append(tag);
    for (int i = 0; i + 1 < attributes.length; i += 2) {
      if (!attributes[i + 1].isEmpty()) {
        out.append(' ').append(attributes[i]);
        out.append("=\"").append(escape(attributes[i + 1])).append('"');
      }
    }
    out.append('>');
    return this;
  }

  Html close(String tag) {
    out.append("</").append(tag).append(">\n");
    return this;
  }

  Html text(String text) {
    out.append(escape(text));
    return this;
  }

  /** A whole element with text. */
  Html element(String tag, String text, String... attributes) {
    return open(tag, attributes).text(text).close(tag);
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
