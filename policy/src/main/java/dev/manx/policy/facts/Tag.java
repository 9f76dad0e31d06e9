/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

import dev.manx.policy.Request.Unit;

/**
 * The tag that a read carries to its replica, as {@link TagCodec} reads it. Confined to one thread.
 */
public final class Tag {
  /** The unit of priority and slack. */
  public Unit unit = Unit.NANOS;

  /** Rank in the replica's queue, smaller first, in the unit. */
  public long priority;

  /** Bottleneck minus the cost of the read's opset, in the unit. */
  public long slack;

  /** The coordinator's forecast of the read's service time. */
  public long costNanos;

  /** Groups the reads of a request that wants longest-first; 0 for none. */
  public long requestId;
}
