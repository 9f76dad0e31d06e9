/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.workload.RequestClass;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The results of a run.
 *
 * @param classes latencies by class, {@code ALL} first
 * @param windowNanos from the arrival of the first measured request to that of the last
 * @param metrics by name with unit, in the order of their rows
 * @param checks verdicts of the checkers
 * @param timeline points over the measured window
 * @param cost cost of the run itself; not part of the result files
 */
public record Outcome(
    Map<RequestClass, ClassOutcome> classes,
    long windowNanos,
    Map<String, Double> metrics,
    List<Check> checks,
    List<Point> timeline,
    Cost cost) {
  /**
   * Name of the metric that is 1 if the cluster kept up with its load and 0 if queues grew: if the
   * load reached its capacity, or if the number of open requests grew with time.
   */
  public static final String STABLE = "stable";

  /** Name of the metric with the mean share of the cores in use, percent. */
  public static final String UTILISATION = "utilisation_pct";

  /** Name of the metric that only closed loops have: the number of their clients. */
  public static final String CLIENTS = "closed_loop_clients";

  /**
   * One class of requests.
   *
   * @param count measured requests
   * @param errors requests with a lost read
   * @param answeredInWindow requests answered in the window, whenever they arrived
   * @param meanNanos exact mean of the others; NaN if there are none
   * @param nanos their latencies
   */
  public record ClassOutcome(
      long count, long errors, long answeredInWindow, double meanNanos, Histogram nanos) {}

  /**
   * A point of the timeline.
   *
   * @param seconds since the first measured request
   * @param entity {@code cluster} or {@code node3}
   */
  public record Point(double seconds, String entity, String metric, double value) {}

  /**
   * The price of a run.
   *
   * @param reads executed, warm-up included
   * @param events events processed
   * @param wallNanos on the wall clock
   * @param cpuNanos of this thread; 0 if the JVM does not provide it
   * @param allocatedBytes by this thread; 0 if the JVM does not provide it
   */
  public record Cost(long reads, long events, long wallNanos, long cpuNanos, long allocatedBytes) {}

  /** The latencies of every request. */
  public ClassOutcome all() {
    return classes.get(RequestClass.ALL);
  }

  /** Whether every check holds. */
  public boolean sound() {
    return checks.stream().allMatch(Check::holds);
  }
}
