/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs calls that use a disk on a separate thread, one after another, and waits for a limited time:
 * a disk that hangs keeps one thread, which is not the caller's. Any thread.
 */
final class DiskCalls {
  private final String thread;
  private final Semaphore free = new Semaphore(1);

  /**
   * @param thread the name of the separate thread
   */
  DiskCalls(String thread) {
    this.thread = thread;
  }

  /**
   * Runs a call, and passes on its exceptions.
   *
   * @param mostMillis the longest wait for an earlier call, and then for this one
   * @throws IllegalStateException if the call has not begun, or has not ended, within that time
   */
  void run(Runnable call, long mostMillis) {
    try {
      if (!free.tryAcquire(mostMillis, TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException(
            "not persisted: the disk has not answered an earlier call yet; try again later");
      }
      FutureTask<Void> task = new FutureTask<>(call, null);
      start(task);
      task.get(mostMillis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "not persisted yet: the disk has not answered for "
              + mostMillis
              + " ms; the change takes effect if it answers later",
          e);
    } catch (ExecutionException e) {
      throw thrown(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the disk", e);
    }
  }

  private void start(FutureTask<Void> task) {
    boolean started = false;
    try {
      Thread runs =
          new Thread(
              () -> {
                try {
                  task.run();
                } finally {
                  free.release();
                }
              },
              thread);
      runs.setDaemon(true);
      runs.start();
      started = true;
    } finally {
      if (!started) {
        free.release();
      }
    }
  }

  private static RuntimeException thrown(Throwable cause) {
    if (cause instanceof Error) {
      throw (Error) cause;
    }
    return (RuntimeException) cause;
  }
}
