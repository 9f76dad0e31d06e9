/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy;

/** How a second copy of a read is sent, and how the slower copy is stopped. */
public enum Copies {
  /** One copy only. */
  NONE,
  /**
   * A copy goes to the next replica if no answer came within {@code copyAfter} of sending, few
   * enough reads of the request are left, and the planner grants it; the first answer may cancel
   * the other copy ({@code FanoutPlanner.cancelling}), in the simulator only.
   */
  HEDGED,
  /** As hedged, without cancellation. */
  SPECULATIVE,
  /**
   * A copy goes to the next replica {@code copyAfter} after the first; each copy names the other,
   * and the one that starts first cancels the other. A cancellation that arrives before its copy
   * leaves a tombstone. The second copy carries no request id, so that the replica queues it behind
   * the request's first copies there.
   */
  TIED,
  /**
   * As tied, but the first replica passes the copy on, if the read has not started there {@code
   * copyAfter} after its arrival. If that replica stalls, the coordinator may send the copy instead
   * ({@code FanoutPlanner.rescueAfterNanos}), which then has no tie and is not cancelled.
   */
  FORWARDED
}
