/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import java.util.concurrent.locks.LockSupport;

/** The time of the dispatching thread; tests replace it with virtual time. */
public interface Pacer {
  /** Monotonic nanoseconds since an arbitrary origin. Any thread. */
  long nanoTime();

  /** Returns at that time or soon after, or early if the thread is interrupted. */
  void await(long nanoTime);

  /** The machine's clock. */
  Pacer SYSTEM =
      new Pacer() {
        // A parked thread wakes some 50 us late on Linux (timer slack), so the last part is spent
        // yielding: at most this long, which limits the use of the core.
        private static final long YIELD_NANOS = 100_000;

        @Override
        public long nanoTime() {
          return System.nanoTime();
        }

        @Override
        @SuppressWarnings("ThreadPriorityCheck") // for 100 us at most
        public void await(long nanoTime) {
          while (!Thread.currentThread().isInterrupted()) {
            long left = nanoTime - System.nanoTime();
            if (left <= 0) {
              return;
            }
            if (left > YIELD_NANOS) {
              LockSupport.parkNanos(this, left - YIELD_NANOS);
            } else {
              Thread.yield();
            }
          }
        }
      };
}
