/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.record;

import dev.manx.policy.order.Op;
import dev.manx.policy.order.Order;
import java.util.ArrayList;
import java.util.List;

/** A choice among queued reads, as logged. */
public final class RecordedDispatch {
  private final int strategy;
  private final long seed;
  private final long nowNanos;
  private final int chosen;
  private final List<Queued> ops = new ArrayList<>();

  /** One of the queued reads. */
  public static final class Queued extends Op {
    private final long memo;

    private Queued(String[] fields, long nowNanos) {
      arrivalNanos = nowNanos - Long.parseLong(fields[0]);
      priority = Long.parseLong(fields[1]);
      slack = Long.parseLong(fields[2]);
      costNanos = Long.parseLong(fields[3]);
      requestId = Long.parseLong(fields[4]);
      level = Integer.parseInt(fields[5]);
      memo = fields.length > 6 ? Long.parseLong(fields[6]) : Order.NO_MEMO;
    }
  }

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException if it is not the line of a dispatch
   */
  public RecordedDispatch(LogLine line, LogHead head) {
    strategy = (int) line.number("s");
    seed = DecisionLog.seed(head.seed(), line.number("i"));
    nowNanos = line.number("t");
    chosen = (int) line.number("o");
    for (String op : line.text("q").split(";", -1)) {
      String[] fields = op.split(":", -1);
      if (fields.length < 6) {
        throw new IllegalArgumentException("a queued read needs six numbers: " + op);
      }
      ops.add(new Queued(fields, nowNanos));
    }
  }

  /** Number of the strategy whose order decided. */
  public int strategy() {
    return strategy;
  }

  /** The index by arrival, from 0, of the chosen read. */
  public int chosen() {
    return chosen;
  }

  /** The clock at the choice. */
  public long nowNanos() {
    return nowNanos;
  }

  /** Number of queued reads. */
  public int size() {
    return ops.size();
  }

  /**
   * Queues the recorded reads, which this object owns, and lets an order choose.
   *
   * @param order empty, and empty again afterwards
   * @param asThen whether it is the recorded order, which then gets its recorded memos
   * @return the index by arrival of the read that it serves; -1 if none
   */
  public int decide(Order<Queued> order, boolean asThen) {
    for (Queued op : ops) {
      if (asThen && op.memo != Order.NO_MEMO) {
        order.offer(op, op.memo);
      } else {
        order.offer(op);
      }
    }
    order.reseed(seed);
    int place = ops.indexOf(order.poll(nowNanos));
    ops.forEach(order::remove);
    return place;
  }
}
