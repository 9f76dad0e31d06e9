/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks whether the kill file exists. The file system may hang, so a thread that must not block
 * reads the result of the last check from {@link #wasThere}. A failed check, as below a folder that
 * may not be entered, does not switch Manx off, but Manx may not be switched on then. Any thread.
 */
final class KillFile {
  private static final Logger logger = LoggerFactory.getLogger(KillFile.class);
  private static final String BEFORE = "the kill file ";
  private static final String AFTER = " exists";

  private final Supplier<Path> path;
  private final Predicate<Path> onDisk;
  // Why the last check failed; empty if it did not.
  private volatile String unknown = "";
  // The lowest bit is the result of the last check; the others count the times exists() found no
  // file.
  private final AtomicLong state = new AtomicLong();

  /**
   * @param path the current path, which a reload may change
   */
  KillFile(Supplier<Path> path) {
    this(path, KillFile::isOnDisk);
  }

  /**
   * @param onDisk checks whether the file exists; may block; throws {@link IllegalStateException}
   *     if that cannot be known
   */
  KillFile(Supplier<Path> path, Predicate<Path> onDisk) {
    this.path = path;
    this.onDisk = onDisk;
  }

  /**
   * Whether a kill file exists; may block.
   *
   * @throws IllegalStateException if that cannot be determined
   */
  static boolean isOnDisk(Path file) {
    try {
      Files.readAttributes(file, BasicFileAttributes.class);
      return true;
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      throw new IllegalStateException(
          "cannot tell whether the kill file " + file + " exists: " + FileWords.why(e), e);
    }
  }

  Path path() {
    return path.get();
  }

  /** Why Manx is off while the file exists. */
  String words() {
    return BEFORE + path() + AFTER;
  }

  /**
   * Why Manx is off now.
   *
   * @param why why it was switched off; empty if an operator did it by CQL or JMX
   */
  String words(String why) {
    boolean isOwn = why.startsWith(BEFORE) && why.endsWith(AFTER);
    if (wasThere()) {
      return why.isEmpty() || isOwn ? words() : why;
    }
    return isOwn
        ? why.substring(0, why.length() - AFTER.length())
            + " switched it off, and is gone; ./manx ctl mode switches it on"
        : why;
  }

  /** The file's path, and the reason if it cannot be checked. */
  String describe() {
    String why = unknown;
    return why.isEmpty() ? path().toString() : path() + " (" + why + ")";
  }

  /**
   * Checks for the file and keeps the result for {@link #wasThere}; may block. A check that fails
   * leaves the last result.
   */
  void look() {
    long before = state.get();
    long seen;
    try {
      seen = onDisk.test(path.get()) ? 1 : 0;
      unknown = "";
    } catch (IllegalStateException e) {
      if (!e.getMessage().equals(unknown)) {
        logger.warn("Manx: {}; it cannot be switched on until that is known", e.getMessage());
      }
      unknown = e.getMessage();
      return;
    }
    // A concurrent exists() that found no file is newer than this check.
    state.compareAndSet(before, before & ~1L | seen);
  }

  /** Whether the last check found the file; never blocks. */
  boolean wasThere() {
    return (state.get() & 1) != 0;
  }

  /**
   * Whether the file exists now, which replaces the last check's result. May block.
   *
   * @throws IllegalStateException if that cannot be determined
   */
  boolean exists() {
    if (onDisk.test(path.get())) {
      state.updateAndGet(last -> last | 1);
      return true;
    }
    state.updateAndGet(last -> (last | 1) + 1);
    return false;
  }
}
