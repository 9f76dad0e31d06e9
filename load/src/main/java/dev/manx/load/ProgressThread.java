/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Calls the listener of a run at its interval, on a separate thread so that it does not delay the
 * dispatcher.
 */
final class ProgressThread implements AutoCloseable {
  /** Longer than a listener that queries a node, which says why it failed. */
  private static final long PATIENCE_NANOS = NodeAdmin.LONGEST_NANOS + 15_000_000_000L;

  private final ScheduledExecutorService thread;
  private final Ledger ledger;
  private final LoadProgress.Listener listener;
  private final ScheduledFuture<?> looks;
  private volatile RuntimeException failure;

  /** How to wait for the end of a thread's work; false if it did not end in time. */
  @FunctionalInterface
  interface Wait {
    boolean forEnd(ExecutorService thread, long nanos) throws InterruptedException;
  }

  private ProgressThread(
      Ledger ledger, long firstNanos, long everyNanos, LoadProgress.Listener listener) {
    this.ledger = ledger;
    this.listener = listener;
    thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread made = new Thread(task, "manx-load-progress");
              made.setDaemon(true);
              return made;
            });
    looks = thread.scheduleAtFixedRate(this::look, firstNanos, everyNanos, TimeUnit.NANOSECONDS);
  }

  static ProgressThread start(
      Ledger ledger, LoadSettings settings, LoadProgress.Listener listener) {
    return new ProgressThread(
        ledger, firstNanos(settings), settings.progressEveryNanos(), listener);
  }

  /** Time from the run's start to the first report, so that one is at the end of the window. */
  static long firstNanos(LoadSettings settings) {
    long rest = (settings.warmUpNanos() + settings.measuredNanos()) % settings.progressEveryNanos();
    return rest == 0 ? settings.progressEveryNanos() : rest;
  }

  private void look() {
    if (failure == null) {
      try {
        listener.accept(ledger.look());
      } catch (RuntimeException e) {
        failure = e;
      }
    }
  }

  /** Sends the last report once every request has ended; rethrows the listener's exception. */
  void finish() throws InterruptedException {
    finish((ending, nanos) -> ending.awaitTermination(nanos, TimeUnit.NANOSECONDS));
  }

  void finish(Wait wait) throws InterruptedException {
    looks.cancel(false);
    thread.shutdown();
    if (!wait.forEnd(thread, PATIENCE_NANOS)) {
      throw new IllegalStateException(
          "the progress listener did not return within "
              + TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NANOS)
              + " s");
    }
    look();
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
