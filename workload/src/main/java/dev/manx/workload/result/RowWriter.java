/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload.result;

import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Appends rows to one result file. Until {@link #close} the rows are in {@code NAME.part}; closing
 * renames it to {@code NAME} atomically, so a reader never sees an incomplete file. Thread-safe.
 */
public final class RowWriter<T> implements Closeable {
  private final RowFormat<T> format;
  private final Path target;
  private final Path part;
  private final Writer out;
  private boolean closed;

  private RowWriter(RowFormat<T> format, Path directory) throws IOException {
    this.format = format;
    Files.createDirectories(directory);
    target = directory.resolve(format.fileName());
    part = directory.resolve(format.fileName() + ".part");
    out = Files.newBufferedWriter(part, StandardCharsets.UTF_8);
    out.write(format.header() + '\n');
  }

  /** Starts the format's file in a directory and creates the directory if it is missing. */
  public static <T> RowWriter<T> create(Path directory, RowFormat<T> format) throws IOException {
    return new RowWriter<>(format, directory);
  }

  /** Appends one row. */
  public synchronized void append(T row) throws IOException {
    out.write(Csv.line(format.fields(row)));
  }

  /** Flushes the appended rows to the operating system. */
  public synchronized void flush() throws IOException {
    out.flush();
  }

  /** Ends the file without moving it into place: its rows stay in {@code NAME.part}. */
  synchronized void leave() throws IOException {
    if (!closed) {
      closed = true;
      out.close();
    }
  }

  /** Moves the file into place. */
  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    leave();
    try {
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
