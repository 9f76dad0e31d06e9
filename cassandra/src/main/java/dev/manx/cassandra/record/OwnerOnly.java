/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Files that only the user of Cassandra can read and write. */
public final class OwnerOnly {
  private static final String PERMISSIONS = "rw-------";

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
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(PERMISSIONS))
        }
        : new FileAttribute<?>[0];
  }

  /** Takes a file from other users, if the file system can and this user may. */
  static void restrict(Path file) {
    try {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(PERMISSIONS));
    } catch (IOException | UnsupportedOperationException cannot) {
      // The log goes on: the file is as readable as before.
    }
  }
}
