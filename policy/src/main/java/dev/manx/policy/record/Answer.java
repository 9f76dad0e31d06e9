/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.record;

import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.select.Selector;
import java.util.Locale;

/**
 * The end of a read that was sent, as logged: the input from which a selector learns.
 *
 * @param ending how it ended
 * @param node the node that it was sent to
 * @param costNanos its forecast
 * @param responseNanos from sending to receipt; 0 if no answer came
 * @param nowNanos the clock
 * @param view the facts of the node known at that time
 */
public record Answer(
    Ending ending, int node, long costNanos, long responseNanos, long nowNanos, ClusterView view) {
  /** How a read ends. */
  public enum Ending {
    /** The node answered. */
    ANSWERED,
    /** The node answered with a failure. */
    FAILED,
    /** No answer came in time. */
    TIMED_OUT,
    /** Given up, or the node died. */
    CANCELLED
  }

  /** The log line. */
  public LogLine line() {
    FrozenView frozen = FrozenView.of(view, new int[] {node}, nowNanos);
    return new LogLine(DecisionLog.ANSWER)
        .put("t", nowNanos)
        .put("n", node)
        .put("e", ending.name().toLowerCase(Locale.ROOT))
        .put("c", costNanos)
        .put("x", responseNanos)
        .put("v", ViewText.write(frozen, nowNanos));
  }

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException if it is not the line of an answer
   */
  public static Answer read(LogLine line, LogHead head) {
    long now = line.number("t");
    return new Answer(
        Ending.valueOf(line.text("e").toUpperCase(Locale.ROOT)),
        (int) line.number("n"),
        line.number("c"),
        line.number("x"),
        now,
        ViewText.read(line.text("v"), head.columns(), head.nodes(), now));
  }

  /** Reports the ending to a selector. */
  public void teach(Selector selector) {
    switch (ending) {
      case ANSWERED -> selector.answered(node, costNanos, responseNanos, view);
      case FAILED -> selector.failed(node, costNanos);
      case TIMED_OUT -> selector.timedOut(node, costNanos);
      case CANCELLED -> selector.cancelled(node, costNanos);
    }
  }
}
