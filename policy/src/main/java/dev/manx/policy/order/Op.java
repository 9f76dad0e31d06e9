/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/**
 * One queued read with its rank; an adapter extends it with what it runs.
 *
 * <p>It carries the links of the queue that holds it, so queueing allocates nothing more. An op is
 * in at most one order at a time. The fields are set before {@code offer} and not changed until the
 * op has left the order.
 */
public abstract class Op {
  /**
   * Rank by the request's bottleneck: nanoseconds or keys, as the order's unit says; smaller first.
   */
  public long priority;

  /** Bottleneck minus the cost of this read's opset, in the same unit. */
  public long slack;

  /** This replica's forecast of the read's service time, nanoseconds. */
  public long costNanos;

  /**
   * Ties the reads of one request that asked for longest-first together; 0 for none. Ops of equal
   * rank and the same non-zero id are served costliest first; all others in arrival order.
   */
  public long requestId;

  /** When the op arrived, on the order's clock. */
  public long arrivalNanos;

  /** The level a coordinator put it into, 0 being served first; -1 for none. */
  public int level = -1;

  /**
   * How long it had waited elsewhere before it arrived here, nanoseconds; a copy that is handed on
   * keeps its place in line by it.
   */
  public long ageNanos;

  // Place in a heap: what it is ranked by, its group, its arrival number, its index.
  long rank;
  long group;
  long sequence;

  // Links and place, owned by the order that holds the op; see Arrivals and BottleneckOrder.
  Order<?> home;
  Op older;
  Op newer;
  Op before;
  Op after;
  int bucket;

  // Links and place in a SharedOrder.
  Op earlier;
  Op later;
  OrderSeat<?> offeredTo;
}
