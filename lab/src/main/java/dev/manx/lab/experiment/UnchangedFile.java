/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/**
 * A file with code of an arm, which must stay as it is from the first turn to the last: otherwise
 * one arm would be of two versions. Thread-safe.
 */
public final class UnchangedFile {
  private record Stamp(long bytes, FileTime modified, Object key) {
    static Stamp of(Path file) throws IOException {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      return new Stamp(found.size(), found.lastModifiedTime(), found.fileKey());
    }
  }

  private final Path file;
  private final String contents;
  private volatile Stamp stamp;

  /** Takes down its present contents. */
  public UnchangedFile(Path file) throws IOException {
    this.file = file;
    stamp = Stamp.of(file);
    contents = NamedFiles.contents(file);
  }

  /** Size and checksum at the start. */
  public String contents() {
    return contents;
  }

  /**
   * Checks it before a turn; reads it only if it was written again.
   *
   * @throws RunException if its contents have changed
   */
  public void check() {
    if (isReplaced()) {
      throw new RunException(
          file + " was replaced during the run. Start again with another folder (--out)");
    }
  }

  private boolean isReplaced() {
    try {
      Stamp now = Stamp.of(file);
      if (now.equals(stamp)) {
        return false;
      }
      if (NamedFiles.contents(file).equals(contents)) {
        stamp = now;
        return false;
      }
    } catch (IOException e) {
      // It is missing, for example during a build.
    }
    return true;
  }
}
