/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.local.cluster.ClusterException;
import java.util.concurrent.locks.LockSupport;

/** Runs work on nodes that must not die meanwhile. */
final class LivingNodes {
  /** A killed process closes its connections a moment before its end is known. */
  private static final int LOOKS = 20;

  private static final long BETWEEN_LOOKS_NANOS = 50_000_000L;

  private LivingNodes() {}

  /** Work that may be interrupted. */
  @FunctionalInterface
  interface Work<T> {
    T run() throws InterruptedException;
  }

  /**
   * Does the work. If a node dies meanwhile, that is the failure; other failures are a consequence
   * of it.
   *
   * @param checkAlive throws if a node has died
   * @throws ClusterException if a node has died, with the failure of the work as suppressed
   */
  static <T> T run(Runnable checkAlive, Work<T> work) throws InterruptedException {
    T done;
    try {
      done = work.run();
    } catch (RuntimeException e) {
      throw cause(checkAlive, e);
    }
    checkAlive.run();
    return done;
  }

  private static RuntimeException cause(Runnable checkAlive, RuntimeException failure) {
    for (int look = 0; look < LOOKS; look++) {
      try {
        checkAlive.run();
      } catch (ClusterException death) {
        if (death != failure) {
          death.addSuppressed(failure);
        }
        return death;
      }
      LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
    }
    return failure;
  }
}
