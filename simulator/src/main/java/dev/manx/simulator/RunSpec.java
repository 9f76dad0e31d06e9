/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.workload.Arrivals;
import dev.manx.workload.RequestClass;
import java.util.List;

/**
 * The extent of a run: load, length and measurement.
 *
 * @param requestsPerSecond mean rate of all coordinators together; of a closed loop, the rate that
 *     it would have if answers took no time
 * @param arrivals distribution of arrivals, unless the source has its own ({@link
 *     dev.manx.simulator.source.TimedSource})
 * @param requests number of requests, warm-up included
 * @param warmUpShare share of the requests at the start that is not measured
 * @param seed of everything random
 * @param classes request classes recorded in addition to {@code all}
 * @param narrowMaxReads the widest request of class narrow
 * @param timelineNanos interval between points of the timeline; 0 for none
 * @param thinkNanos 0 for open arrivals; else a closed loop, in which each of {@code
 *     requestsPerSecond * thinkNanos} clients, at most one for each request, has this mean think
 *     time before its next request
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
  /** Copies the list and checks the number of clients. */
  public RunSpec {
    classes = List.copyOf(classes);
    if (thinkNanos > 0 && clients(requestsPerSecond, thinkNanos) > requests) {
      throw new IllegalArgumentException("at least one request for each client of a closed loop");
    }
  }

  /** Clients of a closed loop; the rate is reached if answers take no time. */
  public long clients() {
    return clients(requestsPerSecond, thinkNanos);
  }

  /** Clients of a closed loop with a rate and a think time, at least 1. */
  public static long clients(double requestsPerSecond, long thinkNanos) {
    return Math.max(1, Math.round(requestsPerSecond * thinkNanos / 1e9));
  }
}
