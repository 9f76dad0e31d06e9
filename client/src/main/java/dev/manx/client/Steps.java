/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.log.SparseLog;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Steps of a shutdown, each run even if an earlier one has thrown: a failing store of the
 * application must not keep threads of other parts alive. Thread-safe.
 */
final class Steps {
  private final SparseLog log = new SparseLog(FanoutCache.class);

  /** Runs the steps in order and logs their exceptions. */
  void take(Runnable... steps) {
    for (Runnable step : steps) {
      try {
        step.run();
      } catch (Throwable e) {
        log.warn("a part of the cache failed when it was closed", e);
      }
    }
  }

  /** Waits for all, in whatever way they end, or until this thread is interrupted. */
  static void await(Collection<CompletableFuture<Void>> all) {
    try {
      CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)).get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      // A store of the application: there is nothing to wait for.
    }
  }
}
