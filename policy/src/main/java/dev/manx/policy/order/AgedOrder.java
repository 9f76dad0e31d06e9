/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import dev.manx.policy.config.Setting;

/**
 * An order bounded by age: an op that is the oldest and has waited {@code max-wait} goes first,
 * unless the policy {@linkplain #passesOver passes over} it. While work arrives no faster than it
 * is served and no op is passed over, every op thus starts within about that bound plus the work
 * queued before it. Sequential.
 */
abstract class AgedOrder<T extends Op> implements Order<T> {
  static final Setting CAPACITY =
      Setting.whole(
          "capacity", 65_536, 1, 1 << 24, "most reads queued; further reads go to the stock queue");
  static final Setting MAX_WAIT =
      Setting.duration(
          "max-wait", "500ms", "1ns", "1h", "a read that has waited this long goes first");

  private final ArrivalList arrivals = new ArrivalList();
  private final int capacity;
  private long maxWaitNanos;
  private long cuts;
  private long recorded = NO_MEMO;

  AgedOrder(int capacity, long maxWaitNanos) {
    this.capacity = capacity;
    this.maxWaitNanos = maxWaitNanos;
  }

  /** After this wait the oldest op goes first. */
  final long maxWaitNanos() {
    return maxWaitNanos;
  }

  /** Sets after what wait the oldest op goes first. */
  final void maxWait(long nanos) {
    maxWaitNanos = nanos;
  }

  /** Adds an op that is in no order. */
  abstract void enter(T op);

  /** Removes an op that was added. */
  abstract void leave(T op);

  /** The op to serve next by the policy alone; the queue is not empty. */
  abstract T choose(long nowNanos);

  /** Whether the policy's choice goes before an op that has waited {@code max-wait}. */
  boolean passesOver(long nowNanos) {
    return false;
  }

  /** Records that an op was polled or passed, and has left. */
  void served(long nowNanos) {}

  /** Records that an op was removed without being served, and has left. */
  void dropped(T op) {}

  /** The recorded memo of the op that is being added, or {@link #NO_MEMO}. */
  final long recorded() {
    return recorded;
  }

  @Override
  public final boolean offer(T op, long memo) {
    recorded = memo;
    try {
      return offer(op);
    } finally {
      recorded = NO_MEMO;
    }
  }

  @Override
  public final boolean offer(T op) {
    if (arrivals.size() >= capacity) {
      return false;
    }
    arrivals.add(op, this);
    enter(op);
    return true;
  }

  @Override
  public final T poll(long nowNanos) {
    T op = peek(nowNanos);
    if (op != null) {
      if (isOverdue(op, nowNanos) && choose(nowNanos) != op) {
        cuts++;
      }
      take(op);
      served(nowNanos);
    }
    return op;
  }

  // Only ops of type T are ever offered.
  @SuppressWarnings("unchecked")
  @Override
  public final T peek(long nowNanos) {
    T oldest = (T) arrivals.oldest();
    if (oldest == null || isOverdue(oldest, nowNanos) && !passesOver(nowNanos)) {
      return oldest;
    }
    return choose(nowNanos);
  }

  @Override
  public final long cuts() {
    return cuts;
  }

  private boolean isOverdue(T op, long nowNanos) {
    return nowNanos - op.arrivalNanos >= maxWaitNanos;
  }

  @Override
  public final boolean remove(T op) {
    if (op.home != this) {
      return false;
    }
    take(op);
    dropped(op);
    return true;
  }

  @Override
  public final boolean pass(T op, long nowNanos) {
    if (op.home != this) {
      return false;
    }
    take(op);
    served(nowNanos);
    return true;
  }

  @Override
  public final int size() {
    return arrivals.size();
  }

  @Override
  public final long workNanos() {
    return arrivals.workNanos();
  }

  @Override
  public final int capacity() {
    return capacity;
  }

  private void take(T op) {
    leave(op);
    arrivals.remove(op);
  }
}
