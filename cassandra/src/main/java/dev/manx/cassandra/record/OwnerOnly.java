/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Files that only the user of Cassandra can read and write. */
public final class OwnerOnly {
  private OwnerOnly() {}

  /**
   * The permissions of a file that is about to be created; none if the file system has none.
   *
   * @param file in an existing folder
   */
  public static FileAttribute<?>[] permissions(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    return Files.getFileStore(folder).supportsFileAttributeView("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }
}
