/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/** Allows one change at a time; another one is refused, not queued. */
/*
 * A policy's factory or a disk may never return, and the callers are request threads.
 */
final class OneAtATime {
  private final Semaphore one = new Semaphore(1);

  /**
   * Runs a change.
   *
   * @throws IllegalStateException if another one is under way; nothing has changed then
   */
  <T> T run(Supplier<T> change) {
    if (!one.tryAcquire()) {
      throw new IllegalStateException("another switch is under way; try again");
    }
    try {
      return change.get();
    } finally {
      one.release();
    }
  }
}
