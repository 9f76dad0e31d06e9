/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

/**
 * Decides how a cache is divided among backends. Pure: time comes with the view. An instance
 * belongs to one controller and may keep state. Confined to its controller's thread.
 */
public interface SharePolicy {
  /**
   * Returns the target shares.
   *
   * @return bytes by backend, finite and at least 0, with the sum of {@code view.allocated()}; the
   *     controller rounds, keeps floors and moves
   */
  double[] targets(ShareView view);

  /** Whether every backend has a separate share; false for one cache shared by all. */
  default boolean partitions() {
    return true;
  }

  /** Least number of requests that the statistics should cover. */
  default long enoughRequests() {
    return 1;
  }

  /**
   * Number of requests without which the host should not ask for a decision. If even the widest
   * window cannot have them at the present rate, the shares stay.
   */
  default long leastRequests() {
    return 1;
  }

  /** Size in bytes of the shadow queue for {@code shadowHits}; 0 if they are not needed. */
  default long shadowBytes() {
    return 0;
  }

  /** Whether the policy needs miss curves in the view. */
  default boolean wantsCurves() {
    return false;
  }

  /**
   * Whether it gives space only where more space helps; {@link BenefitVeto} then leaves it alone.
   */
  default boolean weighsBenefit() {
    return false;
  }

  /** The basis of its last decision, for observers. */
  default PolicyReport report() {
    return PolicyReport.NONE;
  }
}
