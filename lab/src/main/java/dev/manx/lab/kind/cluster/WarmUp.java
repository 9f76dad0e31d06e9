/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The warm-up of one turn: the nodes forget the latencies of earlier turns, and at its end retry
 * speculatively by those of this turn. Their disks are limited only then, and not while the page
 * cache warms up.
 */
final class WarmUp implements AutoCloseable {
  /** Events of the window may stop a node, which must have its threshold by then. */
  private static final long BEFORE_END_NANOS = 200_000_000;

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final CompletableFuture<Void> thresholds = new CompletableFuture<>();
  private final CompletableFuture<Void> limits = new CompletableFuture<>();

  /**
   * Starts it.
   *
   * @throws dev.manx.lab.experiment.RunException if a node refuses
   */
  WarmUp(LoadedCluster cluster, long nanos) {
    cluster.forgetLatencies();
    cluster.storage().ifPresent(NodeStorage::warm);
    at(nanos - BEFORE_END_NANOS, cluster::retryByLatencies, thresholds);
    at(nanos, () -> cluster.storage().ifPresent(NodeStorage::measured), limits);
  }

  private void at(long nanos, Runnable step, CompletableFuture<Void> done) {
    timer.schedule(
        () -> {
          try {
            step.run();
            done.complete(null);
          } catch (RuntimeException e) {
            done.completeExceptionally(e);
          }
        },
        nanos,
        TimeUnit.NANOSECONDS);
  }

  /**
   * Ends the turn.
   *
   * @throws RuntimeException if its disks were not limited, or a node refused
   */
  void check() {
    try {
      CompletableFuture.allOf(thresholds, limits).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
