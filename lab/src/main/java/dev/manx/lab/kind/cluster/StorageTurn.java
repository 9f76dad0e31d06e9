/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Limits the nodes' disks in the window of one turn, and not while the page cache warms up. */
final class StorageTurn implements AutoCloseable {
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final CompletableFuture<Void> limited = new CompletableFuture<>();

  /**
   * Starts the warm-up of the page cache.
   *
   * @param storage empty if the cluster's storage has no limits
   */
  StorageTurn(Optional<NodeStorage> storage, long warmUpNanos) {
    storage.ifPresent(NodeStorage::warm);
    timer.schedule(() -> limit(storage), warmUpNanos, TimeUnit.NANOSECONDS);
  }

  private void limit(Optional<NodeStorage> storage) {
    try {
      storage.ifPresent(NodeStorage::measured);
      limited.complete(null);
    } catch (RuntimeException e) {
      limited.completeExceptionally(e);
    }
  }

  /**
   * Ends the turn.
   *
   * @throws RuntimeException if its disks were not limited
   */
  void check() {
    try {
      limited.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
