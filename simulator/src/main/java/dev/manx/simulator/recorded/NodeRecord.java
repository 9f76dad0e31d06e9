/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.recorded;

import dev.manx.policy.record.Executed;
import dev.manx.policy.record.RequestEnd;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One node, as its own log describes it.
 *
 * @param node its number
 * @param name its address
 * @param started when the log began, by the node's clock; empty if the log does not say
 * @param sample part of what happened that is in the log
 * @param spanNanos from the log's first moment to its last, at least 1
 * @param cores of the machine; 0 if the log does not say
 * @param readThreads reads that it executes at once; 0 if the log does not say
 * @param executed its reads
 * @param ends its requests
 * @param acted whether Manx acted on requests while it was recorded
 * @param remote reads with replicas in more than one datacenter
 * @param lost lines that are damaged or were not written, for want of room
 */
public record NodeRecord(
    int node,
    String name,
    Optional<Instant> started,
    double sample,
    long spanNanos,
    int cores,
    int readThreads,
    List<Executed> executed,
    List<RequestEnd> ends,
    boolean acted,
    long remote,
    long lost) {
  /** When the log ended, by the node's clock; empty if the log does not say when it began. */
  public Optional<Instant> ended() {
    return started.map(at -> at.plusNanos(spanNanos));
  }

  /** How many requests a second one recorded end, of weight 1, stands for. */
  public double rateOfAnEnd() {
    return 1e9 / sample / spanNanos;
  }

  /** Requests that it got in a second. */
  public double requestsPerSecond() {
    return ends.stream().mapToDouble(RequestEnd::weight).sum() / sample / spanNanos * 1e9;
  }

  /** Mean service time over forecast of the reads of one partition; 1 if there are none. */
  public double slowness() {
    double service = 0;
    double forecast = 0;
    for (Executed read : executed) {
      if (read.single() && read.forecastNanos() > 0) {
        service += read.serviceNanos();
        forecast += read.forecastNanos();
      }
    }
    return forecast == 0 ? 1 : service / forecast;
  }
}
