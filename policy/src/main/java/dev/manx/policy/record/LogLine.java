/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.record;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * One line of a decision log: a kind, {@code key=value} fields and a check sum, separated by
 * spaces. Readers skip unknown keys. Mutable while it is written; confined to one thread.
 */
public final class LogLine {
  private static final int SUM_CHARACTERS = 10;

  private final String kind;
  private final Map<String, String> fields = new LinkedHashMap<>();

  /** Creates an empty line of a kind. */
  public LogLine(String kind) {
    this.kind = kind;
  }

  /** The kind of line: its first word. */
  public String kind() {
    return kind;
  }

  /** Adds a field. */
  public LogLine put(String key, String value) {
    fields.put(key, value);
    return this;
  }

  /** Adds a field. */
  public LogLine put(String key, long value) {
    return put(key, Long.toString(value));
  }

  /** A field's text; empty if it is missing. */
  public String text(String key) {
    return fields.getOrDefault(key, "");
  }

  /**
   * A field's number.
   *
   * @throws NumberFormatException if it is missing or not a number
   */
  public long number(String key) {
    return Long.parseLong(text(key));
  }

  /** The line with its check sum and line end, in UTF-8. */
  public byte[] bytes() {
    StringBuilder text = new StringBuilder(kind);
    fields.forEach((key, value) -> escape(text.append(' ').append(key).append('='), value));
    text.append(sum(text.toString())).append('\n');
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads a line without its line end.
   *
   * @return null if it is damaged: it has no check sum, or a wrong one
   */
  public static LogLine parse(String text) {
    int end = text.length() - SUM_CHARACTERS;
    if (end < 1 || !sum(text.substring(0, end)).equals(text.substring(end))) {
      return null;
    }
    String[] words = text.substring(0, end).split(" ", -1);
    LogLine line = new LogLine(words[0]);
    for (int i = 1; i < words.length; i++) {
      int equals = words[i].indexOf('=');
      if (equals > 0) {
        line.put(words[i].substring(0, equals), unescape(words[i].substring(equals + 1)));
      }
    }
    return line;
  }

  private static String sum(String text) {
    CRC32 crc = new CRC32();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    String hex = Long.toHexString(crc.getValue());
    return " #" + "0".repeat(SUM_CHARACTERS - 2 - hex.length()) + hex;
  }

  private static void escape(StringBuilder into, String value) {
    for (int i = 0; i < value.length(); i++) {
      char letter = value.charAt(i);
      switch (letter) {
        case '\\' -> into.append("\\\\");
        case ' ' -> into.append("\\s");
        case '\n' -> into.append("\\n");
        case '\r' -> into.append("\\r");
        default -> into.append(letter);
      }
    }
  }

  private static String unescape(String value) {
    if (value.indexOf('\\') < 0) {
      return value;
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < value.length(); i++) {
      char letter = value.charAt(i);
      if (letter == '\\' && i + 1 < value.length()) {
        i++;
        letter =
            switch (value.charAt(i)) {
              case 's' -> ' ';
              case 'n' -> '\n';
              case 'r' -> '\r';
              default -> value.charAt(i);
            };
      }
      text.append(letter);
    }
    return text.toString();
  }
}
