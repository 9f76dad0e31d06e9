/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload.result;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * RFC 4180: fields with a comma, quote or line break are quoted, and quotes in them are doubled.
 */
final class Csv {
  /** One record and the number of its first line, from 1. */
  record Line(int number, List<String> fields) {}

  private Csv() {}

  static List<String> concat(List<String> first, List<String> second) {
    List<String> both = new ArrayList<>(first);
    both.addAll(second);
    return List.copyOf(both);
  }

  static String line(List<String> fields) {
    StringBuilder out = new StringBuilder();
    String separator = "";
    for (String field : fields) {
      out.append(separator).append(quote(field));
      separator = ",";
    }
    return out.append('\n').toString();
  }

  private static String quote(String field) {
    boolean plain =
        field.indexOf(',') < 0
            && field.indexOf('"') < 0
            && field.indexOf('\n') < 0
            && field.indexOf('\r') < 0;
    return plain ? field : '"' + field.replace("\"", "\"\"") + '"';
  }

  /** All records of a file's text; lines end with LF or CRLF. */
  static List<Line> parse(Path file, String text) {
    List<Line> lines = new ArrayList<>();
    Scanner in = new Scanner(file, text);
    while (in.more()) {
      lines.add(in.record());
    }
    return lines;
  }

  private static final class Scanner {
    private final Path file;
    private final String text;
    private int at;
    private int lineNumber = 1;

    Scanner(Path file, String text) {
      this.file = file;
      this.text = text;
    }

    boolean more() {
      return at < text.length();
    }

    Line record() {
      int start = lineNumber;
      List<String> fields = new ArrayList<>();
      while (true) {
        fields.add(more() && text.charAt(at) == '"' ? quoted() : plain());
        if (!more()) {
          break;
        }
        char c = text.charAt(at++);
        if (c == '\r' && more() && text.charAt(at) == '\n') {
          at++;
          c = '\n';
        }
        if (c == '\n') {
          lineNumber++;
          break;
        }
        if (c != ',') {
          throw new SchemaException(file, lineNumber, "a comma or line end must follow a quote");
        }
      }
      return new Line(start, fields);
    }

    private String plain() {
      int start = at;
      while (more() && ",\n\r".indexOf(text.charAt(at)) < 0) {
        if (text.charAt(at) == '"') {
          throw new SchemaException(file, lineNumber, "a quote inside a field without quotes");
        }
        at++;
      }
      return text.substring(start, at);
    }

    private String quoted() {
      int start = lineNumber;
      StringBuilder out = new StringBuilder();
      at++;
      while (more()) {
        char c = text.charAt(at++);
        if (c != '"') {
          lineNumber += c == '\n' ? 1 : 0;
          out.append(c);
        } else if (more() && text.charAt(at) == '"') {
          out.append('"');
          at++;
        } else {
          return out.toString();
        }
      }
      throw new SchemaException(file, start, "a quote is never closed");
    }
  }
}
