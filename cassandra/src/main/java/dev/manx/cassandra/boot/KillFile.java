/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Whether the kill file is there. Its disk may hang, so whoever must not wait asks for what the
 * last look saw. Any thread.
 */
final class KillFile {
  private final Supplier<Path> path;
  // What was seen, in the lowest bit; above it how often it was seen to be gone.
  private final AtomicLong state = new AtomicLong();

  /**
   * @param path where it is, at the moment
   */
  KillFile(Supplier<Path> path) {
    this.path = path;
  }

  Path path() {
    return path.get();
  }

  /** Looks for it, for {@link #wasThere}. */
  void look() {
    long before = state.get();
    long seen = Files.exists(path.get()) ? 1 : 0;
    // If it has been gone since this look began, this look is too old.
    state.compareAndSet(before, before & ~1L | seen);
  }

  /** Whether it was there at the last look; waits for no disk. */
  boolean wasThere() {
    return (state.get() & 1) != 0;
  }

  /** Whether it is there now; if not, what an earlier look saw is forgotten. */
  boolean exists() {
    if (Files.exists(path.get())) {
      return true;
    }
    state.updateAndGet(last -> (last | 1) + 1);
    return false;
  }
}
