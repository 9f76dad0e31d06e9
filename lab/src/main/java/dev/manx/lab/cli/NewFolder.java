/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;

/** Folders for results whose place the user has not chosen: {@code manx-out/NAME-TIME}. */
final class NewFolder {
  /** The folder that contains them. */
  static final Path PARENT = Path.of("manx-out");

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  private NewFolder() {}

  /** Creates a folder that other runs do not use. */
  static Path of(String name) throws IOException {
    return of(PARENT, name + "-" + LocalDateTime.now().format(TIME));
  }

  /** Runs that start in the same second get numbers. */
  static Path of(Path parent, String name) throws IOException {
    Files.createDirectories(parent);
    for (int number = 1; ; number++) {
      try {
        return Files.createDirectory(parent.resolve(number == 1 ? name : name + "-" + number));
      } catch (FileAlreadyExistsException e) {
        // The next number may be free.
      }
    }
  }
}
