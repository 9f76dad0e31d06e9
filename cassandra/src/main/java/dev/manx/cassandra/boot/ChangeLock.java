/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Serializes changes, and lets a change detect that Manx was switched off meanwhile. A change may
 * run policy code, which may never return, so a thread waits for another change for at most half a
 * second. Any thread.
 */
final class ChangeLock {
  static final long MILLIS = 500;

  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicInteger offs = new AtomicInteger();
  // Number of switches to off when the present holder's change began.
  private int offsBefore;

  /**
   * Runs a change.
   *
   * @throws IllegalStateException if another one is under way
   */
  void change(Runnable change) {
    // The inputs of a change are read after this, so that a switch to off is either visible in them
    // or counted.
    int before = offs.get();
    if (!locked()) {
      throw new IllegalStateException("another switch is under way; try again, or switch off");
    }
    try {
      offsBefore = before;
      change.run();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Runs an action as part of the calling thread's change, or while no change is under way.
   *
   * @return false if the action was not run because another change does not end
   */
  boolean within(Runnable part) {
    if (lock.isHeldByCurrentThread()) {
      part.run();
      return true;
    }
    if (!locked()) {
      return false;
    }
    try {
      part.run();
    } finally {
      lock.unlock();
    }
    return true;
  }

  private boolean locked() {
    try {
      return lock.tryLock(MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Counts a switch to off, which waits for no change. */
  void countOff() {
    offs.incrementAndGet();
  }

  /** Whether a switch to off was counted since the calling thread requested its change. */
  boolean offSince() {
    return offs.get() != offsBefore;
  }
}
