/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.workload.Arrivals;
import dev.manx.workload.RequestClass;
import java.util.List;

/**
 * The extent of a run: load, length and measurement.
 *
 * @param requestsPerSecond mean rate of all coordinators together
 * @param arrivals distribution of arrivals, unless the source has its own ({@link
 *     dev.manx.simulator.source.TimedSource})
 * @param requests number, warm-up included
 * @param warmUpShare share of them at the start that is not measured
 * @param seed of everything random
 * @param classes request classes recorded in addition to {@code all}
 * @param narrowMaxReads the widest request of class narrow
 * @param timelineNanos interval between points of the timeline; 0 for none
 * @param thinkNanos 0 for open arrivals; else a closed loop, in which each of {@code
 *     requestsPerSecond * thinkNanos} clients has this mean think time before its next request
 */
public record RunSpec(
    double requestsPerSecond,
    Arrivals arrivals,
    long requests,
    double warmUpShare,
    long seed,
    List<RequestClass> classes,
    int narrowMaxReads,
    long timelineNanos,
    long thinkNanos) {
  /** Copies the list. */
  public RunSpec {
    classes = List.copyOf(classes);
  }

  /**
   * Clients of a closed loop, at least 1 and no more than have a request to send; the rate is
   * reached if answers take no time.
   */
  public long clients() {
    return Math.max(1, Math.min(requests, Math.round(requestsPerSecond * thinkNanos / 1e9)));
  }
}
