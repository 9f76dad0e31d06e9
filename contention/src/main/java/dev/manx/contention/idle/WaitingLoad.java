/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.idle;

/**
 * The work of the threads.
 *
 * @param threads how many
 * @param perSecond operations a second, all threads together; Poisson, open loop
 * @param workNanos processor time of an operation
 * @param holdNanos part of it during which the others must wait for this thread
 * @param warmUpNanos discarded
 * @param windowNanos measured
 * @param drainNanos time after it for operations that are late; the rest counts as unanswered
 */
public record WaitingLoad(
    int threads,
    double perSecond,
    long workNanos,
    long holdNanos,
    long warmUpNanos,
    long windowNanos,
    long drainNanos) {
  /** Operations of one run that a worker has room for. */
  public static final long MOST_OPERATIONS = 5_000_000;

  /** Expected operations, those of the warm-up included. */
  public double operations() {
    return perSecond * (warmUpNanos + windowNanos) / 1e9;
  }
}
