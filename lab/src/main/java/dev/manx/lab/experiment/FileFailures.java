/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.workload.result.SchemaException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;

/** Messages for files that cannot be read or written, which the user can correct. */
public final class FileFailures {
  private FileFailures() {}

  /** The fault of a file; empty for another kind of failure. */
  public static Optional<String> words(Throwable failure) {
    if (failure instanceof UncheckedIOException unchecked) {
      return words(unchecked.getCause());
    }
    if (failure instanceof FileSystemException file && file.getReason() == null) {
      return Optional.of(file.getFile() + ": " + why(file));
    }
    if (failure instanceof CharacterCodingException coding) {
      return Optional.of("a file: " + why(coding));
    }
    return failure instanceof IOException || failure instanceof SchemaException
        ? Optional.ofNullable(failure.getMessage())
        : Optional.empty();
  }

  /** The reason of a failure, without the name of the file. */
  public static String why(IOException failure) {
    if (failure instanceof NoSuchFileException) {
      return "no such file or folder";
    }
    if (failure instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (failure instanceof CharacterCodingException) {
      return "it is not text in UTF-8";
    }
    String reason =
        failure instanceof FileSystemException file ? file.getReason() : failure.getMessage();
    return reason == null ? failure.getClass().getSimpleName() : reason;
  }
}
