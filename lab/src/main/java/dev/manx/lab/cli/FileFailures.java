/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import dev.manx.workload.result.SchemaException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;

/** Messages for files that cannot be read or written, which the user can correct. */
final class FileFailures {
  private FileFailures() {}

  /** The fault of a file; empty for another kind of failure. */
  static Optional<String> words(Throwable failure) {
    if (failure instanceof UncheckedIOException unchecked) {
      return words(unchecked.getCause());
    }
    if (failure instanceof FileSystemException file && file.getReason() == null) {
      return Optional.of(file.getFile() + ": " + kind(file));
    }
    return failure instanceof IOException || failure instanceof SchemaException
        ? Optional.ofNullable(failure.getMessage())
        : Optional.empty();
  }

  private static String kind(FileSystemException file) {
    return file instanceof NoSuchFileException
        ? "no such file or folder"
        : file instanceof AccessDeniedException
            ? "permission denied"
            : file.getClass().getSimpleName();
  }
}
