/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload.result;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads result files strictly: a wrong header or field is a {@link SchemaException}. */
public final class RowReader {
  private RowReader() {}

  /** Reads all rows of the format's file in a result directory. */
  public static <T> List<T> read(Path directory, RowFormat<T> format) throws IOException {
    return readFile(directory.resolve(format.fileName()), format);
  }

  /** Reads all rows of the format's file in a result directory; none if there is no such file. */
  public static <T> List<T> readIfPresent(Path directory, RowFormat<T> format) throws IOException {
    return Files.exists(directory.resolve(format.fileName())) ? read(directory, format) : List.of();
  }

  /** Reads all rows of a file of that format. */
  public static <T> List<T> readFile(Path file, RowFormat<T> format) throws IOException {
    List<Csv.Line> lines = Csv.parse(file, text(file));
    if (lines.isEmpty() || !lines.get(0).fields().equals(format.columns())) {
      String found = lines.isEmpty() ? "nothing" : String.join(",", lines.get(0).fields());
      throw new SchemaException(
          file, 1, "expected the header '" + format.header() + "' but found '" + found + "'");
    }
    List<T> rows = new ArrayList<>(lines.size() - 1);
    for (Csv.Line line : lines.subList(1, lines.size())) {
      rows.add(format.parse(new CsvFields(file, line.number(), format.columns(), line.fields())));
    }
    return rows;
  }

  private static String text(Path file) throws IOException {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (CharacterCodingException e) {
      throw new SchemaException(file, 1, "the file is not text in UTF-8");
    }
  }
}
