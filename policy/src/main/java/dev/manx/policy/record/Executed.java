/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.record;

/**
 * A read that the log's node executed, for any coordinator: its time in the queue and in service.
 *
 * @param nowNanos the clock at its end
 * @param waitedNanos time in the queue
 * @param serviceNanos time on a read thread
 * @param forecastNanos the forecast service time; 0 if there was no forecast
 * @param single whether it read one partition and was answered; otherwise a range, an index, or a
 *     failure
 */
public record Executed(
    long nowNanos, long waitedNanos, long serviceNanos, long forecastNanos, boolean single) {
  /** The log line. */
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
   * @throws IllegalArgumentException if it is not the line of an executed read
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
