/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntToLongFunction;

/**
 * A coordinator's live knowledge of the nodes: the facts that they reported and the coordinator's
 * open tickets.
 *
 * <p>Threads: response threads apply facts while request threads read them. A value and its age are
 * read one after the other; a decision may see a new value with the previous value's age, never a
 * torn number. The constructor fixes the memory. A node id outside the capacity has no facts and
 * stores none.
 */
public final class ClusterState implements ClusterView, FactSink {
  /** Default limit of open tickets. */
  public static final int TICKETS = 65_536;

  private static final int COLUMNS = FactColumn.values().length;
  private static final long NO_STAMP = Long.MIN_VALUE;

  private final int capacity;
  private final AtomicLongArray values;
  private final AtomicLongArray stamps;
  private final TicketTable tickets;
  private final IntToLongFunction identities;

  /** Creates a state without facts of nodes 0 to {@code capacity - 1}. */
  public ClusterState(int capacity) {
    this(capacity, TICKETS);
  }

  /**
   * Creates a state without facts of nodes 0 to {@code capacity - 1}.
   *
   * @param ticketCapacity most tickets open at once
   */
  public ClusterState(int capacity, int ticketCapacity) {
    this(capacity, ticketCapacity, node -> node);
  }

  /**
   * Creates a state of nodes whose ids are valid at this coordinator only.
   *
   * @param ticketCapacity most tickets open at once
   * @param identities the {@link #identity} of an id below {@code capacity}; called for each read
   */
  public ClusterState(int capacity, int ticketCapacity, IntToLongFunction identities) {
    this.identities = identities;
    this.capacity = capacity;
    this.values = new AtomicLongArray(capacity * COLUMNS);
    this.stamps = new AtomicLongArray(capacity * COLUMNS);
    this.tickets = new TicketTable(ticketCapacity, capacity);
    for (int i = 0; i < stamps.length(); i++) {
      stamps.set(i, NO_STAMP);
    }
  }

  @Override
  public void apply(FactColumn column, int node, long value, long atNanos) {
    if (known(node)) {
      int at = place(column, node);
      values.set(at, value);
      stamps.set(at, atNanos);
    }
  }

  /** Forgets the facts of a node whose id is given back; its tickets are closed separately. */
  public void forget(int node) {
    if (known(node)) {
      for (int at = node * COLUMNS; at < (node + 1) * COLUMNS; at++) {
        stamps.set(at, NO_STAMP);
        values.set(at, 0);
      }
    }
  }

  /** The open reads of this coordinator. */
  public TicketTable tickets() {
    return tickets;
  }

  @Override
  public int capacity() {
    return capacity;
  }

  @Override
  public long identity(int node) {
    return known(node) ? identities.applyAsLong(node) : node;
  }

  @Override
  public int outstandingReads(int node) {
    return tickets.outstandingReads(node);
  }

  @Override
  public long outstandingWorkNanos(int node) {
    return tickets.outstandingWorkNanos(node);
  }

  @Override
  public long value(FactColumn column, int node) {
    return known(node) ? values.get(place(column, node)) : 0;
  }

  @Override
  public long ageNanos(FactColumn column, int node, long nowNanos) {
    long stamp = known(node) ? stamps.get(place(column, node)) : NO_STAMP;
    return stamp == NO_STAMP ? NEVER : Math.max(0, nowNanos - stamp);
  }

  // Columns are never stored or sent, so their ordinal may serve as an index.
  @SuppressWarnings("EnumOrdinal")
  private static int place(FactColumn column, int node) {
    return node * COLUMNS + column.ordinal();
  }

  private boolean known(int node) {
    return node >= 0 && node < capacity;
  }
}
