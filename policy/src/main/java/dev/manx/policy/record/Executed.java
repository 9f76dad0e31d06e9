/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.record;

/**
 * A read that the log's own node has executed, for any coordinator: what its queue and its service
 * took.
 *
 * @param nowNanos the clock at its end
 * @param waitedNanos in the queue
 * @param serviceNanos on a read thread
 * @param forecastNanos the service time that was expected; 0 if none was
 * @param single whether it read one partition and was answered; else a range, an index, or a
 *     failure
 */
public record Executed(
    long nowNanos, long waitedNanos, long serviceNanos, long forecastNanos, boolean single) {
  /** The line. */
  public LogLine line() {
    return new LogLine(DecisionLog.EXECUTED)
        .put("t", nowNanos)
        .put("w", waitedNanos)
        .put("x", serviceNanos)
        .put("c", forecastNanos)
        .put("e", single ? 1 : 0);
  }

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException if it is none of an executed read
   */
  public static Executed read(LogLine line) {
    return new Executed(
        line.number("t"),
        line.number("w"),
        line.number("x"),
        line.number("c"),
        line.number("e") == 1);
  }
}
