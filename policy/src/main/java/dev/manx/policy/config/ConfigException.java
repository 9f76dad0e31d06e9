/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.config;

/** A refused setting: says file, line, key, value and what is allowed, so that it can be mended. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param file the document's name as the user knows it
   * @param line 1-based line of the value, 0 if there is none
   * @param key dotted path of the setting, for example {@code strategy.order.max-wait}
   * @param value what was written, or null if it is missing
   * @param allowed what would have been accepted, in words
   */
  public ConfigException(String file, int line, String key, String value, String allowed) {
    super(
        file
            + (line > 0 ? ":" + line : "")
            + ": "
            + (key.isEmpty() ? "document" : key)
            + (value == null ? " is missing" : " = " + shorten(value) + " is refused")
            + "; allowed: "
            + allowed);
  }

  private static String shorten(String value) {
    String oneLine = value.replaceAll("\\s+", " ").trim();
    return "'" + (oneLine.length() > 80 ? oneLine.substring(0, 77) + "..." : oneLine) + "'";
  }
}
