/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

/** Receives each ended request of a run, concurrently on any threads. */
@FunctionalInterface
public interface RequestEnds {
  /** Does nothing. */
  RequestEnds IGNORED = (sequence, intendedNanos, latencyNanos, measured, answered) -> {};

  /**
   * Records that a request was answered, failed or timed out.
   *
   * @param sequence its number in the stream
   * @param intendedNanos its intended start, since the start of the warm-up
   * @param latencyNanos since its intended start
   * @param measured whether it belongs to the measured window
   * @param answered whether it was answered; it failed or timed out otherwise
   */
  void ended(
      long sequence, long intendedNanos, long latencyNanos, boolean measured, boolean answered);
}
