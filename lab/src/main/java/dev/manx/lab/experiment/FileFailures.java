/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.load.connect.FileReasons;
import dev.manx.workload.result.SchemaException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystemException;
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
      return Optional.of(file.getFile() + ": " + FileReasons.why(file));
    }
    if (failure instanceof CharacterCodingException coding) {
      return Optional.of("a file: " + FileReasons.why(coding));
    }
    return failure instanceof IOException || failure instanceof SchemaException
        ? Optional.ofNullable(failure.getMessage())
        : Optional.empty();
  }
}
