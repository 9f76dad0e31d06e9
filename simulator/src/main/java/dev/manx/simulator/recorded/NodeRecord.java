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
 * @param firstNanos when the log began, by the node's monotonic clock
 * @param spanNanos from the log's beginning to its end, at least 1
 * @param cores of the machine; 0 if unknown
 * @param readThreads reads that it executes concurrently; 0 if unknown
 * @param executed the reads that it executed
 * @param ends its planned requests
 * @param engine Manx on this node while it was recorded
 * @param others its requests and reads that the model does not have
 * @param lines the lines of the log
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
    Engine engine,
    Others others,
    Lines lines) {
  /**
   * Manx on a node.
   *
   * @param acted whether it acted on requests
   * @param strategies documents of the strategies that decided, with all defaults; empty if unknown
   * @param longestWaitNanos the longest wait that the node allowed their orders; empty if unknown
   */
  public record Engine(boolean acted, List<String> strategies, OptionalLong longestWaitNanos) {
    /** An engine in mode shadow, with unknown strategies. */
    public static final Engine UNKNOWN = new Engine(false, List.of(), OptionalLong.empty());

    /** Copies the list. */
    public Engine {
      strategies = List.copyOf(strategies);
    }
  }

  /**
   * Requests and reads that the model does not have.
   *
   * @param unplanned recorded requests that Manx does not plan, such as aggregates, each with its
   *     weight
   * @param reads planned reads, including {@code remote}
   * @param remote planned reads with replicas in more than one datacenter
   */
  public record Others(double unplanned, long reads, long remote) {}

  /**
   * The lines of a log.
   *
   * @param kept lines of decisions
   * @param lost lines that are damaged, or were not written for lack of space
   * @param whole whether the log has its last line: it was not cut, by a crash for example
   * @param requestsOnly whether it was recorded as {@code requests}; if not, most reads that did
   *     not wait are missing
   */
  public record Lines(long kept, long lost, boolean whole, boolean requestsOnly) {}

  /** End of the log by the node's clock; empty if its start is unknown. */
  public Optional<Instant> ended() {
    return started.map(at -> at.plusNanos(spanNanos));
  }

  /**
   * When the log began, in nanoseconds from 1970 by the node's clock, or by its monotonic clock if
   * {@link #epochNanos} is empty: then not comparable with other nodes.
   */
  public long beganNanos() {
    return firstNanos + epochNanos.orElse(0);
  }

  /** When the log ended, on the clock of {@link #beganNanos}. */
  public long endedNanos() {
    return beganNanos() + spanNanos;
  }

  /** Whether Manx acted on requests while it was recorded. */
  public boolean acted() {
    return engine.acted;
  }

  /** Requests per second represented by one recorded end of weight 1. */
  public double rateOfAnEnd() {
    return 1e9 / sample / spanNanos;
  }

  /** Planned requests that it received per second. */
  public double requestsPerSecond() {
    return requestsReceived() / spanNanos * 1e9;
  }

  /** Planned requests that it received while it was recorded. */
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
    return lines.lost == 0 ? 0 : (double) lines.lost / (lines.kept + lines.lost);
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
