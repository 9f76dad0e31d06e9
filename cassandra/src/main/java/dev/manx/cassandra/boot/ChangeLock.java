/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets one change happen at a time, and tells it whether Manx was switched off meanwhile. A
 * policy's code may run inside a change and may never return, so nothing waits for another change
 * longer than half a second. Any thread.
 */
final class ChangeLock {
  static final long MILLIS = 500;

  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicInteger offs = new AtomicInteger();
  // How often Manx had been switched off when the change began that holds the lock.
  private int offsBefore;

  /**
   * Makes a change.
   *
   * @throws IllegalStateException if another one is under way
   */
  void change(Runnable change) {
    // What a change goes by is read after this, so that a switch to off is either seen by it or
    // counted.
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
   * Does something as a part of the calling thread's change, or when no change is under way.
   *
   * @return false if it was not done, because another change does not end
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

  /** Whether one was counted since the calling thread's change was asked for. */
  boolean offSince() {
    return offs.get() != offsBefore;
  }
}
