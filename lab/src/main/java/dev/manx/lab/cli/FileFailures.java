/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import dev.manx.workload.result.SchemaException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;

/** Files that cannot be read or written, in words: they are the user's, and so is the remedy. */
final class FileFailures {
  private FileFailures() {}

  /** What is wrong with a file; empty if the failure is of another kind. */
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
