/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;

/**
 * A file with code of an arm, which must stay as it is from the first turn to the last: otherwise
 * one arm would be of two versions. Thread-safe.
 */
public final class UnchangedFile {
  /** The time after which a changed file is no longer taken for an unfinished build. */
  private static final long PATIENCE_NANOS = 10_000_000_000L;

  private static final long BETWEEN_LOOKS_NANOS = 250_000_000L;

  /** The wait between two checks of a changed file. */
  @FunctionalInterface
  interface Wait {
    void nanos(long nanos) throws InterruptedException;
  }

  private record Stamp(long bytes, FileTime modified, Object key) {
    static Stamp of(Path file) throws IOException {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      return new Stamp(found.size(), found.lastModifiedTime(), found.fileKey());
    }
  }

  private final Path file;
  private final String contents;
  private final Wait wait;
  private volatile Stamp stamp;

  /** Records the file's present contents. */
  public UnchangedFile(Path file) throws IOException {
    this(file, TimeUnit.NANOSECONDS::sleep);
  }

  UnchangedFile(Path file, Wait wait) throws IOException {
    this.file = file;
    this.wait = wait;
    stamp = Stamp.of(file);
    contents = NamedFiles.contents(file);
  }

  /** Size and checksum at the start. */
  public String contents() {
    return contents;
  }

  /**
   * Checks the file before a turn; reads it only if it was written again. A build may write the
   * same contents again: waits some seconds for them.
   *
   * @throws ReplacedFileException if its contents have changed
   */
  public void check() throws InterruptedException {
    for (long waited = 0; isReplaced(); waited += BETWEEN_LOOKS_NANOS) {
      if (waited >= PATIENCE_NANOS) {
        throw new ReplacedFileException(file);
      }
      wait.nanos(BETWEEN_LOOKS_NANOS);
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
      // The file is missing, for example during a build.
    }
    return true;
  }
}
