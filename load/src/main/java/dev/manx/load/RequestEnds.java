/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

/** Is called for each request of a run that has ended, by any thread, several at a time. */
@FunctionalInterface
public interface RequestEnds {
  /** Does nothing. */
  RequestEnds IGNORED = (sequence, intendedNanos, latencyNanos, measured) -> {};

  /**
   * A request was answered, has failed or was given up.
   *
   * @param sequence its number in the stream
   * @param intendedNanos its intended start, since the start of the warm-up
   * @param latencyNanos since its intended start
   * @param measured whether it is one of the window
   */
  void ended(long sequence, long intendedNanos, long latencyNanos, boolean measured);
}
