/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/**
 * One queued read with its rank; an adapter extends it with the work to run.
 *
 * <p>It contains the links of its queue, so queueing allocates nothing more. An op is in at most
 * one order at a time. The fields are set before {@code offer} and not changed until the op has
 * left the order.
 */
public abstract class Op {
  /** Rank by the request's bottleneck, in the order's unit: nanoseconds or keys; smaller first. */
  public long priority;

  /** Bottleneck minus the cost of this read's opset, in the same unit. */
  public long slack;

  /** This replica's forecast of the read's service time, nanoseconds. */
  public long costNanos;

  /**
   * Groups the reads of one request that wants longest-first; 0 for none. Ops of equal rank and the
   * same non-zero id are served costliest first; all others in arrival order.
   */
  public long requestId;

  /** When the op arrived, on the order's clock. */
  public long arrivalNanos;

  /** The level chosen by a coordinator, level 0 being served first; -1 for none. */
  public int level = -1;

  /**
   * How long the op had waited elsewhere before it arrived here, in nanoseconds; thus a copy that
   * is passed on keeps its place in line.
   */
  public long ageNanos;

  /**
   * Number of reads that found a free thread, and so were in no queue, since the last op was
   * queued; 0 if all reads are queued, or the order does not {@linkplain Order#countsPassed count
   * them}.
   */
  public long passedBefore;

  // Position in a heap: rank, group, arrival number, index.
  long rank;
  long group;
  long sequence;

  // Links and place, owned by the op's order; see Arrivals and BottleneckOrder.
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
