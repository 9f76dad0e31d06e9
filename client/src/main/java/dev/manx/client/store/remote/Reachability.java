/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tracks whether an instance is reachable: lost after some failures in a row, found again only by a
 * probe, so that requests do not wait for the time-out of a hanging server. Thread-safe.
 */
final class Reachability {
  private static final int FAILURES_IN_A_ROW = 3;

  private final Runnable onLost;
  private final AtomicInteger failures = new AtomicInteger();
  private volatile boolean lost;

  /**
   * @param onLost called at once, on the thread that detected the loss; must not block
   */
  Reachability(Runnable onLost) {
    this.onLost = onLost;
  }

  boolean lost() {
    return lost;
  }

  void answered() {
    if (failures.get() != 0) {
      failures.set(0);
    }
  }

  void failed() {
    if (failures.incrementAndGet() == FAILURES_IN_A_ROW && !lost) {
      lost = true;
      onLost.run();
    }
  }

  /** A probe failed. */
  void lose() {
    lost = true;
  }

  /** A probe succeeded. */
  void find() {
    failures.set(0);
    lost = false;
  }
}
