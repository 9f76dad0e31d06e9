/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/** Operations on the calling thread for a queue shared by threads. */
final class CallingThread {
  private CallingThread() {}

  /** Restores an interrupt that came during a wait which must not end early. */
  static void interruptAgain() {
    Thread.currentThread().interrupt();
  }

  /** Passes an error to the thread's uncaught-exception handler; the caller continues. */
  static void uncaught(Throwable error) {
    Thread thread = Thread.currentThread();
    thread.getUncaughtExceptionHandler().uncaughtException(thread, error);
  }
}
