/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/**
 * Describes why a file cannot be read or written, in the words of the other programs, whose class
 * is missing on the node.
 */
final class FileWords {
  /** The reason of a file that this user may not read or write. */
  static final String DENIED = "permission denied";

  private FileWords() {}

  /** The reason of a failure, without the name of the file. */
  static String why(IOException failure) {
    if (failure instanceof NoSuchFileException) {
      return "no such file or folder";
    }
    if (failure instanceof AccessDeniedException) {
      return DENIED;
    }
    if (failure instanceof CharacterCodingException) {
      return "it is not text in UTF-8";
    }
    String reason =
        failure instanceof FileSystemException file ? file.getReason() : failure.getMessage();
    return reason == null ? failure.getClass().getSimpleName() : reason;
  }
}
