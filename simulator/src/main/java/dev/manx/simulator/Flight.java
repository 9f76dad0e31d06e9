/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

/** A request in flight, from its arrival to its last answer. Reused. */
final class Flight {
  long arrivalNanos;
  long sequence;
  int reads;
  int open;
  boolean large;
  boolean failed;

  /** Unanswered reads whose copy is due. */
  int late;

  /** Reads whose due copy waits until fewer reads are left, linked by their twins. */
  Read due;

  /** The read to send when the previous one has ended, linked by {@link Read#after}. */
  Read waiting;

  Flight nextFree;
}
