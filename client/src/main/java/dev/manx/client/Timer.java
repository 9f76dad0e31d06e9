/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import java.util.concurrent.Future;

/** Does things later. Any thread calls it. */
interface Timer {
  /**
   * Runs a task after a while unless the future is cancelled, or at once when this is closed. The
   * task bears being run twice.
   *
   * @throws java.util.concurrent.RejectedExecutionException once it is closed
   */
  Future<?> after(long nanos, Runnable task);
}
