/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.level;

import dev.manx.client.log.SparseLog;
import java.util.concurrent.atomic.LongAdder;

/**
 * Failures of the application's codec or expiry, which affect only one entry of the second level:
 * counts them, and logs each kind with its cause at most once a minute. Thread-safe.
 */
final class EntryFailures {
  private final String backend;
  private final LongAdder count;
  private final SparseLog keys = new SparseLog(LevelPart.class);
  private final SparseLog reads = new SparseLog(LevelPart.class);
  private final SparseLog writes = new SparseLog(LevelPart.class);

  /**
   * @param count counts these failures together with others
   */
  EntryFailures(String backend, LongAdder count) {
    this.backend = backend;
    this.count = count;
  }

  /**
   * A key is not looked up.
   *
   * @param why null if the codec did not throw
   */
  void key(Throwable why) {
    count.increment();
    keys.warn("a key of backend " + backend + " has no text for the second level", why);
  }

  /** A value that was found counts as missing. */
  void read(Throwable why) {
    count.increment();
    reads.warn(
        "a value of backend "
            + backend
            + " in the second level cannot be read: its codec or expiry failed",
        why);
  }

  /** A value is not stored. */
  void write(Throwable why) {
    count.increment();
    writes.warn(
        "a value of backend "
            + backend
            + " is not stored in the second level: its codec or expiry failed",
        why);
  }
}
