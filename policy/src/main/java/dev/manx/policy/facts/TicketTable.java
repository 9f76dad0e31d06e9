/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The open reads that a coordinator has sent, and their sums per node.
 *
 * <p>A ticket is opened when a read is sent and closed exactly once: by answer or failure ({@link
 * #close}), by expiry ({@link #expire}) or by the death of the node ({@link #closeNode}); a second
 * closing finds nothing. The sums per node are therefore exact and return to zero without clamping.
 *
 * <p>Threads: any thread may call any method at any time. Striped locks, held for a few probes;
 * opening and closing allocate nothing. Each number is linearizable; size and sums read together
 * may belong to moments a few tickets apart. Bounded: at capacity {@link #open} refuses the ticket
 * and counts the refusal, and the sums exclude that read.
 */
public final class TicketTable {
  private static final int STRIPES = 16;
  private static final int BATCH = 64;

  private final int capacity;
  private final TicketStripe[] stripes;
  private final AtomicIntegerArray reads;
  private final AtomicLongArray workNanos;
  private final AtomicInteger size = new AtomicInteger();
  private final AtomicLong overflowed = new AtomicLong();

  // A sweep's buffer, taken for the time of the sweep. A concurrent sweep makes its own, so that a
  // blocking sink does not delay it.
  private final AtomicReference<Ticket[]> spare = new AtomicReference<>(newBatch());

  /** Creates a table for nodes 0 to 1023. */
  public TicketTable(int capacity) {
    this(capacity, 1024);
  }

  /**
   * Creates an empty table.
   *
   * @param capacity most tickets open at once
   * @param nodes node ids are below this
   */
  public TicketTable(int capacity, int nodes) {
    this(capacity, nodes, capacity < 1024 ? 1 : STRIPES);
  }

  TicketTable(int capacity, int nodes, int stripeCount) {
    if (capacity < 1 || capacity > 1 << 24 || nodes < 1) {
      throw new IllegalArgumentException("the capacity must be 1 to 2^24, the nodes at least 1");
    }
    this.capacity = capacity;
    reads = new AtomicIntegerArray(nodes);
    workNanos = new AtomicLongArray(nodes);
    stripes = new TicketStripe[stripeCount];
    for (int i = 0; i < stripeCount; i++) {
      stripes[i] = new TicketStripe((capacity + stripeCount - 1) / stripeCount);
    }
  }

  private static Ticket[] newBatch() {
    Ticket[] batch = new Ticket[BATCH];
    Arrays.setAll(batch, i -> new Ticket());
    return batch;
  }

  /**
   * Opens the ticket of a read that was sent.
   *
   * @param messageId unique per node while the ticket is open
   * @param expiresAtNanos when {@link #expire} may close it
   * @return false, and counted as refused, if the table is full, the node is out of range or the
   *     ticket is already open
   */
  public boolean open(
      long messageId, int node, long costNanos, long keyHash, long nowNanos, long expiresAtNanos) {
    if (node >= 0 && node < reads.length()) {
      TicketStripe stripe = stripe(messageId, node);
      synchronized (stripe) {
        if (stripe.find(messageId, node) < 0 && stripe.hasRoom() && reserve()) {
          stripe.add(messageId, node, costNanos, keyHash, nowNanos, expiresAtNanos);
          reads.incrementAndGet(node);
          workNanos.addAndGet(node, costNanos);
          return true;
        }
      }
    }
    overflowed.incrementAndGet();
    return false;
  }

  /**
   * Closes the ticket of a read that ended.
   *
   * @param out receives the ticket
   * @return false if it is not open: never opened, refused, or already closed
   */
  public boolean close(long messageId, int node, Ticket out) {
    TicketStripe stripe = stripe(messageId, node);
    synchronized (stripe) {
      int slot = stripe.find(messageId, node);
      if (slot < 0) {
        return false;
      }
      take(stripe, slot, out);
      return true;
    }
  }

  /** Whether a read's ticket is open. */
  public boolean isOpen(long messageId, int node) {
    TicketStripe stripe = stripe(messageId, node);
    synchronized (stripe) {
      return stripe.find(messageId, node) >= 0;
    }
  }

  /** Closes the expired tickets, passes each to the sink and returns their number. */
  public int expire(long nowNanos, TicketSink sink) {
    return sweep(-1, nowNanos, sink);
  }

  /**
   * Closes the tickets of a node that died or left, passes each to the sink and returns their
   * number.
   */
  public int closeNode(int node, TicketSink sink) {
    return node < 0 ? 0 : sweep(node, 0, sink);
  }

  /** Number of open tickets. */
  public int size() {
    return size.get();
  }

  /** Most tickets open at once. */
  public int capacity() {
    return capacity;
  }

  /** Number of tickets refused so far. */
  public long overflowed() {
    return overflowed.get();
  }

  /** Number of open tickets of a node. */
  public int outstandingReads(int node) {
    return node >= 0 && node < reads.length() ? reads.get(node) : 0;
  }

  /** Sum of the costs of a node's open tickets. */
  public long outstandingWorkNanos(int node) {
    return node >= 0 && node < reads.length() ? workNanos.get(node) : 0;
  }

  /** Memory held, in bytes. */
  public long memoryBytes() {
    long bytes = 0;
    for (TicketStripe stripe : stripes) {
      bytes += stripe.memoryBytes();
    }
    return bytes;
  }

  private TicketStripe stripe(long messageId, int node) {
    // The stripe indexes its slots by the low bits of the hash, so the high bits choose the stripe.
    int hash = TicketStripe.hash(messageId, node);
    return stripes[(int) (((hash & 0xffff_ffffL) * stripes.length) >>> 32)];
  }

  private boolean reserve() {
    int seen = size.get();
    while (seen < capacity) {
      if (size.compareAndSet(seen, seen + 1)) {
        return true;
      }
      seen = size.get();
    }
    return false;
  }

  private void take(TicketStripe stripe, int slot, Ticket out) {
    stripe.copy(slot, out);
    stripe.remove(slot);
    reads.decrementAndGet(out.node);
    workNanos.addAndGet(out.node, -out.costNanos);
    size.decrementAndGet();
  }

  /** Closes the tickets of {@code node}, or with node -1 those that have expired. */
  private int sweep(int node, long nowNanos, TicketSink sink) {
    int closed = 0;
    Ticket[] own = spare.getAndSet(null);
    Ticket[] batch = own == null ? newBatch() : own;
    for (TicketStripe stripe : stripes) {
      int taken;
      do {
        taken = takeBatch(stripe, node, nowNanos, batch);
        for (int i = 0; i < taken; i++) {
          sink.closed(batch[i]);
        }
        closed += taken;
      } while (taken == BATCH);
    }
    spare.set(batch);
    return closed;
  }

  private int takeBatch(TicketStripe stripe, int node, long nowNanos, Ticket[] batch) {
    int taken = 0;
    synchronized (stripe) {
      if (node < 0 ? !stripe.mayHaveExpired(nowNanos) : stripe.count() == 0) {
        return 0;
      }
      int slot = 0;
      while (slot < stripe.slots() && taken < BATCH) {
        boolean due =
            stripe.isUsed(slot)
                && (node < 0 ? stripe.isExpired(slot, nowNanos) : stripe.node(slot) == node);
        if (due) {
          // Removal may pull the next ticket into this slot: check it again.
          take(stripe, slot, batch[taken++]);
        } else {
          slot++;
        }
      }
      if (taken < BATCH) {
        stripe.refreshEarliest();
      }
    }
    return taken;
  }
}
