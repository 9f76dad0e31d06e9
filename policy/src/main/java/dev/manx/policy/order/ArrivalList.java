/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/** Ops in an intrusive list by arrival, with their number and work. Sequential. */
final class ArrivalList {
  private Op oldest;
  private Op newest;
  private int size;
  private long workNanos;

  Op oldest() {
    return oldest;
  }

  int size() {
    return size;
  }

  long workNanos() {
    return workNanos;
  }

  void add(Op op, Order<?> home) {
    if (op.home != null) {
      throw new IllegalStateException("the op is already queued");
    }
    op.home = home;
    op.older = newest;
    if (newest == null) {
      oldest = op;
    } else {
      newest.newer = op;
    }
    newest = op;
    size++;
    workNanos += op.costNanos;
  }

  void remove(Op op) {
    if (op.older == null) {
      oldest = op.newer;
    } else {
      op.older.newer = op.newer;
    }
    if (op.newer == null) {
      newest = op.older;
    } else {
      op.newer.older = op.older;
    }
    op.older = null;
    op.newer = null;
    op.home = null;
    size--;
    workNanos -= op.costNanos;
  }
}
