/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Calls the listener of a run at its interval, on a separate thread so that it does not delay the
 * dispatcher.
 */
final class ProgressThread implements AutoCloseable {
  private final ScheduledExecutorService thread;
  private final Ledger ledger;
  private final LoadProgress.Listener listener;
  private final ScheduledFuture<?> looks;
  private volatile RuntimeException failure;

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
    looks.cancel(false);
    thread.shutdown();
    if (!thread.awaitTermination(10, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the progress listener did not return within 10 s");
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
