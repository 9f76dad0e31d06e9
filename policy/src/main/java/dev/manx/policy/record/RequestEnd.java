/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.record;

/**
 * The end of a request at its coordinator.
 *
 * @param nowNanos the clock
 * @param keys number of keys that it read, at least 1
 * @param latencyNanos time since it arrived at the coordinator
 * @param paged whether its keys were read one after another, because its driver pages it and Manx
 *     did not remove the paging
 * @param weight number of requests that it represents: more than one while requests are sampled
 * @param failed whether it ended without an answer, but not by a time-out: its latency is not
 *     representative, since many failures come at once
 * @param planned whether its reads were planned; an aggregate's are not, for example
 */
public record RequestEnd(
    long nowNanos,
    int keys,
    long latencyNanos,
    boolean paged,
    int weight,
    boolean failed,
    boolean planned) {
  private static final String FAILED = "failed";

  /** The log line. */
  public LogLine line() {
    LogLine line =
        new LogLine(DecisionLog.REQUEST)
            .put("t", nowNanos)
            .put("k", keys)
            .put("x", latencyNanos)
            .put("p", paged ? 1 : 0)
            .put("h", weight);
    if (failed) {
      line.put("e", FAILED);
    }
    return planned ? line : line.put("u", 1);
  }

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException if it is not the line of a request's end
   */
  public static RequestEnd read(LogLine line) {
    int keys = (int) line.number("k");
    int weight = (int) line.number("h");
    if (keys < 1 || weight < 1) {
      throw new IllegalArgumentException("keys and weight of at least 1");
    }
    return new RequestEnd(
        line.number("t"),
        keys,
        line.number("x"),
        line.number("p") == 1,
        weight,
        line.text("e").equals(FAILED),
        !line.text("u").equals("1"));
  }
}
