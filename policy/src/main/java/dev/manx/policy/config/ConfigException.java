/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.config;

import java.util.Collection;

/** A refused setting: names file, line, key and value, and states the allowed values. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param file the document's name for the user
   * @param line 1-based line of the value, 0 if unknown
   * @param key dotted path of the setting, for example {@code strategy.order.max-wait}
   * @param value the value as written, or null if it is missing
   * @param allowed the allowed values, in words
   */
  public ConfigException(String file, int line, String key, String value, String allowed) {
    super(
        place(file, line, key)
            + (value == null ? " is missing" : refused(value))
            + "; allowed: "
            + allowed);
  }

  private ConfigException(String message) {
    super(message);
  }

  /**
   * A document that cannot be read.
   *
   * @param file its name for the user
   * @param why the reason, in words
   */
  public static ConfigException unreadable(String file, String why) {
    return new ConfigException(file + ": cannot be read: " + why);
  }

  /** A key that is unknown in its place. */
  static ConfigException unknownKey(String file, int line, String key, Collection<String> valid) {
    return new ConfigException(
        place(file, line, key) + ": unknown key; valid keys: " + String.join(", ", valid));
  }

  /**
   * A value that would be valid in another document.
   *
   * @param why the reason, in words
   */
  public static ConfigException because(
      String file, int line, String key, String value, String why) {
    return new ConfigException(place(file, line, key) + refused(value) + ": " + why);
  }

  private static String place(String file, int line, String key) {
    return file + (line > 0 ? ":" + line : "") + ": " + (key.isEmpty() ? "document" : key);
  }

  private static String refused(String value) {
    return " = " + shorten(value) + " is invalid";
  }

  private static String shorten(String value) {
    String oneLine = withoutUserInfo(value).replaceAll("\\s+", " ").trim();
    return "'" + (oneLine.length() > 80 ? oneLine.substring(0, 77) + "..." : oneLine) + "'";
  }

  /**
   * Makes a value safe for logs: logs keep messages, and an address may carry a password of any
   * characters.
   */
  private static String withoutUserInfo(String value) {
    int end = value.lastIndexOf('@');
    if (end < 0) {
      return value;
    }
    int scheme = value.indexOf("://");
    return value.substring(0, scheme < 0 || scheme > end ? 0 : scheme + 3)
        + "***"
        + value.substring(end);
  }
}
