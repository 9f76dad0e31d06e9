/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

/** A read sent to a node, as it leaves a {@link TicketTable}. A mutable holder of one thread. */
public final class Ticket {
  /** The message's id, unique per node while it is open. */
  public long messageId;

  /** Where it was sent. */
  public int node;

  /** Its forecast service time when it was sent. */
  public long costNanos;

  /** Hash of table and key, for the size oracle. */
  public long keyHash;

  /** When it was sent, on the coordinator's clock. */
  public long sentNanos;
}
