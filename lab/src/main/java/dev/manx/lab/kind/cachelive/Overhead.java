/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.lab.experiment.Measured;
import dev.manx.lab.experiment.Stopwatch;

/** The cost of dividing a cache during one measured window. */
final class Overhead {
  private static final double KB = 1e3;

  private final LiveArmRun run;
  private final Stopwatch sinceStart = new Stopwatch();
  private final long startBytes;
  private final long startRequests;
  private final DecisionCounts startDecisions;

  Overhead(LiveArmRun run) {
    this.run = run;
    startBytes = run.exchangedBytes();
    startRequests = run.requests();
    startDecisions = run.decisions();
    run.newTimes();
  }

  /** Ends, and adds the results. */
  void into(Measured measured) {
    double seconds = sinceStart.seconds();
    long bytes = run.exchangedBytes() - startBytes;
    long requests = run.requests() - startRequests;
    run.times().into(measured);
    if (!run.partitions()) {
      return;
    }
    run.decisions().into(measured, startDecisions);
    if (run.servers() > 1 && requests > 0) {
      measured
          .metric("exchange_kb_per_s", bytes / KB / run.servers() / seconds)
          .metric("exchange_bytes_per_request", bytes / (double) requests)
          .metric("controller_kb", ControllerMemory.bytes(run) / KB);
    }
  }
}
