/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Checks whether the kill file exists. The file system may hang, so a thread that must not block
 * reads the result of the last check from {@link #wasThere}. Any thread.
 */
final class KillFile {
  private static final String BEFORE = "the kill file ";
  private static final String AFTER = " exists";

  private final Supplier<Path> path;
  private final Predicate<Path> onDisk;
  // The lowest bit is the result of the last check; the others count the times exists() found no
  // file.
  private final AtomicLong state = new AtomicLong();

  /**
   * @param path the current path, which a reload may change
   */
  KillFile(Supplier<Path> path) {
    this(path, Files::exists);
  }

  /**
   * @param onDisk checks whether the file exists; may block
   */
  KillFile(Supplier<Path> path, Predicate<Path> onDisk) {
    this.path = path;
    this.onDisk = onDisk;
  }

  Path path() {
    return path.get();
  }

  /** Why Manx is off while it exists. */
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

  /** Checks for the file and keeps the result for {@link #wasThere}; may block. */
  void look() {
    long before = state.get();
    long seen = onDisk.test(path.get()) ? 1 : 0;
    // A concurrent exists() that found no file is newer than this check.
    state.compareAndSet(before, before & ~1L | seen);
  }

  /** Whether the last check found the file; never blocks. */
  boolean wasThere() {
    return (state.get() & 1) != 0;
  }

  /** Whether the file exists now, which replaces the last check's result. May block. */
  boolean exists() {
    if (onDisk.test(path.get())) {
      state.updateAndGet(last -> last | 1);
      return true;
    }
    state.updateAndGet(last -> (last | 1) + 1);
    return false;
  }
}
