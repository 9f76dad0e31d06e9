/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

/**
 * One part of a {@link TicketTable}: open addressing with linear probing and backward-shift
 * deletion, so that it never needs to be rebuilt. Guarded by its own monitor.
 */
final class TicketStripe {
  private final int mask;
  private final int limit;
  private final long[] ids;
  private final int[] owners; // node + 1; 0 marks a free slot
  private final long[] costs;
  private final long[] hashes;
  private final long[] sent;
  private final long[] expires;
  private int count;

  // No ticket expires before this time, so a sweep may skip the stripe until then. It may be too
  // early after tickets were closed.
  private long earliestNanos;

  /** Holds at least {@code capacity} tickets at a load that keeps probes short. */
  TicketStripe(int capacity) {
    int slots = Integer.highestOneBit(Math.max(4, capacity * 2 - 1)) << 1;
    mask = slots - 1;
    limit = slots - slots / 4;
    ids = new long[slots];
    owners = new int[slots];
    costs = new long[slots];
    hashes = new long[slots];
    sent = new long[slots];
    expires = new long[slots];
  }

  static int hash(long id, int node) {
    long mixed = (id ^ ((long) node << 40)) * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
    return (int) (mixed >>> 32);
  }

  boolean hasRoom() {
    return count < limit;
  }

  int count() {
    return count;
  }

  int slots() {
    return ids.length;
  }

  int node(int slot) {
    return owners[slot] - 1;
  }

  boolean isUsed(int slot) {
    return owners[slot] != 0;
  }

  boolean isExpired(int slot, long nowNanos) {
    return expires[slot] - nowNanos <= 0;
  }

  boolean mayHaveExpired(long nowNanos) {
    return count > 0 && earliestNanos - nowNanos <= 0;
  }

  /** Slot of a ticket, or -1. */
  int find(long id, int node) {
    int slot = hash(id, node) & mask;
    while (owners[slot] != 0) {
      if (ids[slot] == id && owners[slot] == node + 1) {
        return slot;
      }
      slot = (slot + 1) & mask;
    }
    return -1;
  }

  /** Adds a ticket that is not in the stripe; there must be room. */
  void add(long id, int node, long cost, long keyHash, long sentNanos, long expiresAtNanos) {
    int slot = hash(id, node) & mask;
    while (owners[slot] != 0) {
      slot = (slot + 1) & mask;
    }
    ids[slot] = id;
    owners[slot] = node + 1;
    costs[slot] = cost;
    hashes[slot] = keyHash;
    sent[slot] = sentNanos;
    expires[slot] = expiresAtNanos;
    if (count++ == 0 || expiresAtNanos - earliestNanos < 0) {
      earliestNanos = expiresAtNanos;
    }
  }

  void copy(int slot, Ticket out) {
    out.messageId = ids[slot];
    out.node = owners[slot] - 1;
    out.costNanos = costs[slot];
    out.keyHash = hashes[slot];
    out.sentNanos = sent[slot];
  }

  /** Frees a slot; a later ticket of the probe run may move into it. */
  void remove(int slot) {
    int free = slot;
    int next = slot;
    while (true) {
      next = (next + 1) & mask;
      if (owners[next] == 0) {
        break;
      }
      int wanted = hash(ids[next], owners[next] - 1) & mask;
      if (((next - wanted) & mask) >= ((next - free) & mask)) {
        move(next, free);
        free = next;
      }
    }
    owners[free] = 0;
    count--;
  }

  /** Recomputes the exact earliest expiry after a sweep. */
  void refreshEarliest() {
    boolean first = true;
    for (int slot = 0; slot < owners.length; slot++) {
      if (owners[slot] != 0 && (first || expires[slot] - earliestNanos < 0)) {
        earliestNanos = expires[slot];
        first = false;
      }
    }
  }

  /** Bytes of the arrays. */
  long memoryBytes() {
    return (5L * Long.BYTES + Integer.BYTES) * ids.length;
  }

  private void move(int from, int to) {
    ids[to] = ids[from];
    owners[to] = owners[from];
    costs[to] = costs[from];
    hashes[to] = hashes[from];
    sent[to] = sent[from];
    expires[to] = expires[from];
  }
}
