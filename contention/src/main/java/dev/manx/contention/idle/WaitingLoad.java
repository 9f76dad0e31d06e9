/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.idle;

/**
 * The work of the threads.
 *
 * @param threads number of threads
 * @param perSecond operations per second of all threads together; Poisson, open loop
 * @param workNanos processor time of an operation
 * @param holdNanos part of it during which other threads must wait for this one
 * @param warmUpNanos discarded
 * @param windowNanos measured
 * @param drainNanos time after the window for late operations; later ones count as unanswered
 */
public record WaitingLoad(
    int threads,
    double perSecond,
    long workNanos,
    long holdNanos,
    long warmUpNanos,
    long windowNanos,
    long drainNanos) {
  /** Maximum number of operations of one run in a worker. */
  public static final long MOST_OPERATIONS = 5_000_000;

  /** Expected number of operations, including the warm-up. */
  public double operations() {
    return perSecond * (warmUpNanos + windowNanos) / 1e9;
  }
}
