/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

/** A request on its way, from its arrival to its last answer. Reused. */
final class Flight {
  long arrivalNanos;
  long sequence;
  int reads;
  int open;
  boolean large;
  boolean failed;

  /** Unanswered reads for whose copy the time has come. */
  int late;

  /** Reads whose copy is due and waits until fewer reads are left, linked by their twins. */
  Read due;

  /** The read that leaves when the one before it has ended, linked by {@link Read#after}. */
  Read waiting;

  Flight nextFree;
}
