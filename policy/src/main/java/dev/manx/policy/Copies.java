/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy;

/** How a second copy of a read comes about, and what becomes of the slower one. */
public enum Copies {
  /** One copy only. */
  NONE,
  /**
   * If no answer came within {@code copyAfter} of sending, few enough reads of the request are
   * left, and the planner grants it, a copy goes to the next replica; the first answer cancels the
   * other copy, as far as the planner's {@code cancelling} goes.
   */
  HEDGED,
  /** As hedged, but nothing is cancelled. */
  SPECULATIVE,
  /**
   * A copy goes to the next replica {@code copyAfter} the first; each names the other, and the one
   * that starts first cancels its peer. A cancellation that comes before its copy leaves a
   * tombstone. The second copy carries no request id, so that it stands behind its peer's own reads
   * of the request.
   */
  TIED,
  /**
   * As tied, but it is the first replica that hands the copy on, when {@code copyAfter} its arrival
   * there the read has not started.
   */
  FORWARDED
}
