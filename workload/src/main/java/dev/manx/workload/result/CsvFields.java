/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload.result;

import java.nio.file.Path;
import java.util.List;

/** Reads the fields of one line by column name; every error names file, line and column. */
public final class CsvFields {
  private final Path file;
  private final int line;
  private final List<String> columns;
  private final List<String> values;

  CsvFields(Path file, int line, List<String> columns, List<String> values) {
    this.file = file;
    this.line = line;
    this.columns = columns;
    this.values = values;
    if (values.size() != columns.size()) {
      throw error(
          "expected " + columns.size() + " fields but found " + values.size() + ": " + values);
    }
  }

  /** A text that may be empty. */
  public String text(String column) {
    return values.get(columns.indexOf(column));
  }

  /** A text that must not be empty. */
  public String name(String column) {
    String text = text(column);
    if (text.isEmpty()) {
      throw error("column '" + column + "' is empty");
    }
    return text;
  }

  /** A count: an integer of at least 0. */
  public long count(String column) {
    try {
      long value = Long.parseLong(text(column));
      if (value >= 0) {
        return value;
      }
    } catch (NumberFormatException e) {
      // reported below, like negative numbers
    }
    throw error("column '" + column + "': '" + text(column) + "' is not an integer of at least 0");
  }

  /** A finite number. */
  public double number(String column) {
    double value = optionalNumber(column);
    if (Double.isNaN(value)) {
      throw error("column '" + column + "' is empty; a number is expected");
    }
    return value;
  }

  /** A finite number, or NaN where the field is empty. */
  public double optionalNumber(String column) {
    String text = text(column);
    if (text.isEmpty()) {
      return Double.NaN;
    }
    try {
      double value = Double.parseDouble(text);
      if (Double.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      // reported below, like infinities
    }
    throw error("column '" + column + "': '" + text + "' is not a finite number");
  }

  /** A latency above 0, or NaN where the field is empty. */
  public double latency(String column) {
    double value = optionalNumber(column);
    if (value <= 0) {
      throw error("column '" + column + "': '" + text(column) + "' is not a latency above 0");
    }
    return value;
  }

  /** A count as written. */
  static String print(long value) {
    return Long.toString(value);
  }

  /** A number as written: exact, without a redundant fraction; NaN is an empty field. */
  static String print(double value) {
    if (Double.isNaN(value)) {
      return "";
    }
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("a result must be finite, not " + value);
    }
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  private SchemaException error(String message) {
    return new SchemaException(file, line, message);
  }
}
