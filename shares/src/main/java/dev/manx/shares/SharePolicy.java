/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

/**
 * Decides which backend gets which share of a cache. Pure: time comes with the view. An instance
 * belongs to one controller and may remember what it saw. Confined to its controller's thread.
 */
public interface SharePolicy {
  /**
   * The shares that should be.
   *
   * @return bytes by backend, finite and at least 0, with the sum of {@code view.allocated()}; the
   *     controller rounds, keeps floors and moves
   */
  double[] targets(ShareView view);

  /** Whether every backend has a share of its own; false for one cache shared by all. */
  default boolean partitions() {
    return true;
  }

  /** Requests that the statistics should at least cover. */
  default long enoughRequests() {
    return 1;
  }

  /** Bytes of keys just evicted that {@code shadowHits} are counted in; 0 if it needs none. */
  default long shadowBytes() {
    return 0;
  }

  /** Whether the view must have miss curves. */
  default boolean wantsCurves() {
    return false;
  }

  /** The basis of its decisions, for observers; as of the last view. */
  default PolicyReport report() {
    return PolicyReport.NONE;
  }
}
