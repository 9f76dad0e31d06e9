/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.contention;

import dev.manx.contention.squeeze.SqueezeKind;
import java.util.List;

/**
 * A disturbance of the sessions and its measurement.
 *
 * @param squeeze kind of the disturbance
 * @param rounds repetitions of each arm
 * @param windowMillis length of each measured window
 * @param threads numbers of sessions, each measured separately
 * @param arms names of the measured arms
 */
record SqueezeCase(
    SqueezeKind squeeze, int rounds, long windowMillis, List<Integer> threads, List<String> arms) {
  private static final long MILLI = 1_000_000L;

  /** Time when priorities are raised; -1 for the start of the load. */
  long fromMillis() {
    return millis(squeeze.fromNanos(windowMillis * MILLI));
  }

  /** Time when they are restored; -1 for the end. */
  long toMillis() {
    return millis(squeeze.toNanos(windowMillis * MILLI));
  }

  private static long millis(long nanos) {
    return nanos < 0 ? nanos : nanos / MILLI;
  }
}
