/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

/**
 * A read sent to a node, as returned by a {@link TicketTable}. A mutable holder, confined to one
 * thread.
 */
public final class Ticket {
  /** The message's id, unique per node while it is open. */
  public long messageId;

  /** The node that it was sent to. */
  public int node;

  /** Its forecast service time at sending. */
  public long costNanos;

  /** Hash of table and key, for the size oracle. */
  public long keyHash;

  /** The time of sending, on the coordinator's clock. */
  public long sentNanos;
}
