/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import java.util.function.Consumer;

/**
 * The ops of a {@link SharedOrder} by arrival. Changed with its owner's lock held; first op, size
 * and work may be read without it.
 */
final class OpList<T extends Op> {
  private volatile T first;
  private T last;
  private volatile int size;
  private volatile long workNanos;

  T first() {
    return first;
  }

  int size() {
    return size;
  }

  long workNanos() {
    return workNanos;
  }

  /** Adds an op that a seat's order has accepted. */
  void add(T op, OrderSeat<T> seat) {
    op.offeredTo = seat;
    op.earlier = last;
    op.later = null;
    if (last == null) {
      first = op;
    } else {
      last.later = op;
    }
    last = op;
    size = size + 1;
    workNanos = workNanos + op.costNanos;
  }

  @SuppressWarnings("unchecked")
  void remove(T op) {
    T earlier = (T) op.earlier;
    T later = (T) op.later;
    if (earlier == null) {
      first = later;
    } else {
      earlier.later = later;
    }
    if (later == null) {
      last = earlier;
    } else {
      later.earlier = earlier;
    }
    op.earlier = null;
    op.later = null;
    op.offeredTo = null;
    size = size - 1;
    workNanos = workNanos - op.costNanos;
  }

  /** The index of a listed op by arrival, from 0. */
  int place(T wanted) {
    int place = 0;
    for (Op op = first; op != wanted; op = op.later) {
      place++;
    }
    return place;
  }

  void forEach(Consumer<Op> each) {
    for (Op op = first; op != null; op = op.later) {
      each.accept(op);
    }
  }
}
