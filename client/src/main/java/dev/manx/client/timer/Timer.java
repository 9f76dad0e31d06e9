/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.timer;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;

/** Runs tasks later. Thread-safe. */
public interface Timer {
  /**
   * Runs a task after this time unless it is cancelled, or at once when the timer is closed.
   *
   * @throws RejectedExecutionException once the timer is closed
   */
  Alarm after(long nanos, Runnable task);

  /** Whether it is closed, so that its tasks run earlier than requested. */
  default boolean isClosed() {
    return false;
  }

  /**
   * Completes a stage's future with a substitute unless it completes in time.
   *
   * @param late the substitute
   * @return the stage's own future
   */
  default <T> CompletableFuture<T> within(long nanos, CompletionStage<T> stage, T late) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    if (future.isDone()) {
      return future;
    }
    try {
      Alarm alarm = after(nanos, () -> future.complete(late));
      CompletableFuture<?> unused = future.whenComplete((value, error) -> alarm.cancel());
    } catch (RejectedExecutionException e) {
      future.complete(late);
    }
    return future;
  }
}
