/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.record;

import dev.manx.policy.order.Op;
import dev.manx.policy.order.Order;
import dev.manx.policy.order.OrderWatch;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The record of one choice among queued reads in progress: under the queue's lock it only copies
 * numbers; the line is written after the lock is released.
 */
public final class DispatchDraft implements OrderWatch.Dispatch {
  private static final int FIELDS = 7;

  private final long number;
  private final long seed;
  private final int strategy;
  private final boolean acting;
  private final long nowNanos;
  private final Consumer<LogLine> out;
  private final long[] ops;
  private int queued;
  private int chosen = -1;

  /**
   * Begins a record.
   *
   * @param number number of the decision in its log
   * @param logSeed the seed in the log's head
   * @param strategy number of the strategy whose order decides
   * @param acting whether the choice takes effect
   * @param size number of queued reads
   * @param out receives the line
   */
  public DispatchDraft(
      long number,
      long logSeed,
      int strategy,
      boolean acting,
      long nowNanos,
      int size,
      Consumer<LogLine> out) {
    this.number = number;
    this.seed = DecisionLog.seed(logSeed, number);
    this.strategy = strategy;
    this.acting = acting;
    this.nowNanos = nowNanos;
    this.out = out;
    ops = new long[size * FIELDS];
  }

  @Override
  public long seed() {
    return seed;
  }

  @Override
  public void queued(Op op, long memo) {
    int at = queued++ * FIELDS;
    ops[at] = op.arrivalNanos;
    ops[at + 1] = op.priority;
    ops[at + 2] = op.slack;
    ops[at + 3] = op.costNanos;
    ops[at + 4] = op.requestId;
    ops[at + 5] = op.level;
    ops[at + 6] = memo;
  }

  @Override
  public void chose(int place) {
    chosen = place;
  }

  @Override
  public void end() {
    if (chosen < 0) {
      // The order failed or did not return an op: that is not a decision.
      return;
    }
    out.accept(
        new LogLine(DecisionLog.DISPATCH)
            .put("i", number)
            .put("s", strategy)
            .put("m", acting ? "on" : "shadow")
            .put("t", nowNanos)
            .put("o", chosen)
            .put("q", text()));
  }

  /**
   * Wait, priority, slack, cost, request and level of each read, and the order's memo if it has
   * one; requests are numbered from 1.
   */
  private String text() {
    Map<Long, Integer> requests = new HashMap<>();
    StringBuilder text = new StringBuilder();
    for (int at = 0; at < queued * FIELDS; at += FIELDS) {
      text.append(at == 0 ? "" : ";").append(nowNanos - ops[at]);
      text.append(':').append(ops[at + 1]).append(':').append(ops[at + 2]);
      text.append(':').append(ops[at + 3]);
      long request = ops[at + 4];
      int renamed = request == 0 ? 0 : requests.computeIfAbsent(request, r -> requests.size() + 1);
      text.append(':').append(renamed).append(':').append(ops[at + 5]);
      if (ops[at + 6] != Order.NO_MEMO) {
        text.append(':').append(ops[at + 6]);
      }
    }
    return text.toString();
  }
}
