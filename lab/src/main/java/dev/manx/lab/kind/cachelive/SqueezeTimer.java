/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Squeezes at its time in a turn and releases, in any case, at its end. */
final class SqueezeTimer implements AutoCloseable {
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final Optional<BackendSqueezer> squeezer;
  private volatile IOException failure;

  private SqueezeTimer(Optional<BackendSqueezer> squeezer) {
    this.squeezer = squeezer;
  }

  /** For a turn that starts now. */
  static SqueezeTimer start(LiveSettings settings, Optional<BackendSqueezer> squeezer) {
    SqueezeTimer timer = new SqueezeTimer(squeezer);
    squeezer.ifPresent(
        one -> {
          long from = settings.warmUpNanos() + settings.squeeze().fromNanos();
          timer.at(from, one::squeeze);
          timer.at(from + settings.squeeze().forNanos(), one::release);
        });
    return timer;
  }

  private interface Step {
    void run() throws IOException;
  }

  private void at(long nanos, Step step) {
    var unused =
        thread.schedule(
            () -> {
              try {
                step.run();
              } catch (IOException e) {
                failure = e;
              }
            },
            nanos,
            TimeUnit.NANOSECONDS);
  }

  void check() throws IOException {
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public void close() throws IOException {
    thread.shutdownNow();
    if (squeezer.isPresent()) {
      squeezer.get().release();
    }
  }
}
