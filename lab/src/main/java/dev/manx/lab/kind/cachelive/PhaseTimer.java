/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.lab.experiment.RunException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Starts the disturbances of backends at their times in a turn, and ends them in any case. */
final class PhaseTimer implements AutoCloseable {
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final Optional<BackendSqueezer> squeezer;
  private final FaultSwitch faults;
  private volatile Exception failure;

  /** Without disturbances. */
  PhaseTimer(Optional<BackendSqueezer> squeezer, FaultSwitch faults) {
    this.squeezer = squeezer;
    this.faults = faults;
  }

  /** For a turn that starts now. */
  static PhaseTimer start(
      LiveSettings settings, Optional<BackendSqueezer> squeezer, FaultSwitch faults) {
    PhaseTimer timer = new PhaseTimer(squeezer, faults);
    long warmUp = settings.warmUpNanos();
    squeezer.ifPresent(one -> timer.during(settings.squeeze(), warmUp, one::squeeze, one::release));
    settings
        .faults()
        .late()
        .ifPresent(
            phase ->
                timer.during(phase, warmUp, () -> faults.late(true), () -> faults.late(false)));
    settings
        .faults()
        .errors()
        .ifPresent(
            phase ->
                timer.during(phase, warmUp, () -> faults.errors(true), () -> faults.errors(false)));
    return timer;
  }

  private void during(Phase phase, long warmUpNanos, Step begin, Step end) {
    at(warmUpNanos + phase.fromNanos(), begin);
    at(warmUpNanos + phase.untilNanos(), end);
  }

  /** A beginning or an end of a disturbance. */
  interface Step {
    void run() throws IOException;
  }

  /** Runs a step after a time; its failure is that of the turn. */
  void at(long nanos, Step step) {
    var unused =
        thread.schedule(
            () -> {
              try {
                step.run();
              } catch (IOException | RuntimeException e) {
                failure = e;
              }
            },
            nanos,
            TimeUnit.NANOSECONDS);
  }

  /** Throws if a disturbance failed: the turn is then invalid. */
  void check() {
    if (failure != null) {
      throw new RunException("a backend was not squeezed or not released: " + failure, failure);
    }
  }

  @Override
  public void close() throws IOException {
    thread.shutdownNow();
    faults.late(false);
    faults.errors(false);
    if (squeezer.isPresent()) {
      squeezer.get().release();
    }
  }
}
