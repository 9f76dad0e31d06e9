/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.recorded;

import dev.manx.policy.record.Executed;
import dev.manx.policy.record.RequestEnd;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A node as described by its log.
 *
 * @param node its number
 * @param name its address
 * @param started start of the log by the node's clock; empty if unknown
 * @param epochNanos nanoseconds from 1970 to the zero of the log's times, by the node's clock;
 *     empty if unknown
 * @param sample fraction of events that is in the log
 * @param firstNanos the log's first moment, by the node's monotonic clock
 * @param spanNanos from the log's first moment to its last, at least 1
 * @param cores of the machine; 0 if unknown
 * @param readThreads reads that it executes concurrently; 0 if unknown
 * @param executed its reads
 * @param ends its requests
 * @param acted whether Manx acted on requests while it was recorded
 * @param remote reads with replicas in more than one datacenter
 * @param kept lines of decisions in the log
 * @param lost lines that are damaged, or were not written for lack of space
 */
public record NodeRecord(
    int node,
    String name,
    Optional<Instant> started,
    OptionalLong epochNanos,
    double sample,
    long firstNanos,
    long spanNanos,
    int cores,
    int readThreads,
    List<Executed> executed,
    List<RequestEnd> ends,
    boolean acted,
    long remote,
    long kept,
    long lost) {
  /** End of the log by the node's clock; empty if its start is unknown. */
  public Optional<Instant> ended() {
    return started.map(at -> at.plusNanos(spanNanos));
  }

  /** Requests per second represented by one recorded end of weight 1. */
  public double rateOfAnEnd() {
    return 1e9 / sample / spanNanos;
  }

  /** Requests that it received per second. */
  public double requestsPerSecond() {
    return requestsReceived() / spanNanos * 1e9;
  }

  /** Requests that it received while it was recorded. */
  public double requestsReceived() {
    return ends.stream().mapToDouble(RequestEnd::weight).sum() / sample;
  }

  /** Mean number of reads that it executed at a time, for any coordinator. */
  public double readsAtATime() {
    double service = executed.stream().mapToDouble(Executed::serviceNanos).sum();
    return service / sample / spanNanos / (1 - lostShare());
  }

  /** Part of the lines that is lost. */
  public double lostShare() {
    return lost == 0 ? 0 : (double) lost / (kept + lost);
  }

  /** Mean ratio of service time to forecast of single-partition reads; 1 if there are none. */
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
