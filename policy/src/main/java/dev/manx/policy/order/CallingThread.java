/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/** The calling thread, as far as a queue shared by threads must deal with it. */
final class CallingThread {
  private CallingThread() {}

  /** Restores an interrupt that came during a wait which may not end by it. */
  static void interruptAgain() {
    Thread.currentThread().interrupt();
  }

  /** Hands an error to the thread's uncaught-exception handler; the caller goes on. */
  static void uncaught(Throwable error) {
    Thread thread = Thread.currentThread();
    thread.getUncaughtExceptionHandler().uncaughtException(thread, error);
  }
}
