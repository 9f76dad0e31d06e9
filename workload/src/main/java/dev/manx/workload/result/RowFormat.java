/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload.result;

import java.util.List;

/** Writes and reads the rows of one result file; the formats are constants of the records. */
public sealed interface RowFormat<T> permits RowFormat.Of {
  /** The file's name in a result directory. */
  String fileName();

  /** The header's columns in order. */
  List<String> columns();

  /** A row's fields in the order of the columns. */
  List<String> fields(T row);

  /** The row of one line; a bad field is a {@link SchemaException}. */
  T parse(CsvFields in);

  /** The header line of the file. */
  default String header() {
    return String.join(",", columns());
  }

  /** Builds a format from functions. */
  record Of<T>(String fileName, List<String> columns, Printer<T> printer, Parser<T> parser)
      implements RowFormat<T> {
    @Override
    public List<String> fields(T row) {
      return printer.fields(row);
    }

    @Override
    public T parse(CsvFields in) {
      return parser.parse(in);
    }
  }

  /** Converts a row to fields. */
  @FunctionalInterface
  interface Printer<T> {
    /** The fields of a row, in the order of the columns. */
    List<String> fields(T row);
  }

  /** The fields as a row. */
  @FunctionalInterface
  interface Parser<T> {
    /** The row of these fields. */
    T parse(CsvFields in);
  }
}
