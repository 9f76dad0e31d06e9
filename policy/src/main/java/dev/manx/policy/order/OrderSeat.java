/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One order in use by a {@link SharedOrder}, from one swap to the next, and the turn to call it.
 * The turn is held only while the order's code runs. Any thread.
 */
final class OrderSeat<T extends Op> {
  final Order<T> order;
  final boolean acting;
  final OrderWatch watch;
  // Of the decision in progress; for the holder of the turn.
  OrderWatch.Dispatch dispatch;
  Throwable fault;
  long newCuts;
  long newOverloaded;
  long newLong;
  // Counts of the order so far; for the holder of the turn.
  private long cuts;
  private long overloaded;
  private long servedLong;
  // The longest wait that the host allows since it changed; 0 before.
  private volatile long limitNanos;
  // The last such limit that the order was given; for the holder of the turn.
  private long givenLimitNanos;
  private final long halfBoundNanos;
  private final ReentrantLock turn = new ReentrantLock();
  // Number of turns begun. Written by the holder of the turn only.
  private final AtomicLong turns = new AtomicLong();
  // The number of turns at the last check. Used by the checking thread only.
  private long turnsSeen;
  private int stillHeld;

  /**
   * @param order the deciding order; null for a seat that refuses offers and serves its ops
   *     first-in first-out
   * @param halfBoundNanos the order is stuck when one call of it takes longer than twice this while
   *     another thread waits; {@code Long.MAX_VALUE} to wait forever
   */
  OrderSeat(Order<T> order, boolean acting, OrderWatch watch, long halfBoundNanos) {
    this.order = order;
    this.acting = acting;
    this.watch = watch;
    this.halfBoundNanos = halfBoundNanos;
  }

  /**
   * Waits for the turn.
   *
   * @return false if the order is stuck; the turn is then not held
   */
  boolean enter() {
    boolean mine = turn.tryLock() || (bounded() ? enterWithin() : enterEver());
    if (mine) {
      turns.lazySet(turns.get() + 1);
    }
    return mine;
  }

  private boolean bounded() {
    return halfBoundNanos < Long.MAX_VALUE;
  }

  private boolean enterEver() {
    turn.lock();
    return true;
  }

  // The same turn is checked twice, so that a pause of the whole JVM, which ends a wait at once,
  // does not count as a stuck order.
  private boolean enterWithin() {
    boolean interrupted = false;
    try {
      long seen = turns.get();
      int looks = 0;
      while (looks < 2) {
        try {
          if (turn.tryLock(halfBoundNanos, TimeUnit.NANOSECONDS)) {
            return true;
          }
        } catch (InterruptedException e) {
          interrupted = true;
          continue;
        }
        long now = turns.get();
        looks = now == seen ? looks + 1 : 0;
        seen = now;
      }
      return false;
    } finally {
      if (interrupted) {
        CallingThread.interruptAgain();
      }
    }
  }

  /**
   * Whether one turn has lasted through three checks, one per call of this method; a pause of the
   * whole JVM accounts for at most two. Called by one thread.
   */
  boolean outlastsLooks() {
    long now = turns.get();
    boolean held = turn.isLocked();
    stillHeld = !held ? 0 : now == turnsSeen ? stillHeld + 1 : 1;
    turnsSeen = now;
    return stillHeld > 2;
  }

  /** Whether an op was offered to this order and the seat has an order. */
  boolean holds(T op) {
    return order != null && op.offeredTo == this;
  }

  /** Sets the longest wait that the host allows, for the next decision. */
  void limitWait(long nanos) {
    limitNanos = nanos;
  }

  /** Passes a changed limit on to the order. Called with the turn held. */
  void passLimitOn() {
    long limit = limitNanos;
    if (limit != givenLimitNanos) {
      givenLimitNanos = limit;
      order.limitWait(limit);
    }
  }

  /** Begins a decision. */
  void begin() {
    dispatch = null;
    fault = null;
    newCuts = 0;
    newOverloaded = 0;
    newLong = 0;
  }

  /** Records the first throwable of a decision. */
  void failed(Throwable t) {
    fault = fault == null ? t : fault;
  }

  /**
   * Finds by how much the order's counts have grown since the last call. Called with the turn held.
   */
  void count() {
    newCuts = Math.max(0, order.cuts() - cuts);
    cuts += newCuts;
    newOverloaded = Math.max(0, order.overloaded() - overloaded);
    overloaded += newOverloaded;
    newLong = Math.max(0, order.servedLong() - servedLong);
    servedLong += newLong;
  }

  /** Ends the turn. */
  void leave() {
    turn.unlock();
  }
}
