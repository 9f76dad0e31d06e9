/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy;

/** How a second copy of a read comes about, and what becomes of the slower one. */
public enum Copies {
  /** One copy only. */
  NONE,
  /**
   * If no answer came within {@code copyAfter} of sending, and the planner grants it, a copy goes
   * to the next replica; the first answer cancels the other copy where it is still queued.
   */
  HEDGED,
  /** As hedged, but nothing is cancelled. */
  SPECULATIVE,
  /**
   * A copy goes to the next replica {@code copyAfter} the first; each names the other, and the one
   * that starts first cancels its peer. A cancellation that comes before its copy leaves a
   * tombstone.
   */
  TIED,
  /**
   * As tied, but it is the first replica that hands the copy on, when {@code copyAfter} its arrival
   * there the read has not started.
   */
  FORWARDED
}
