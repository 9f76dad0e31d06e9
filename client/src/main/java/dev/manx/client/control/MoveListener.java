/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.control;

/**
 * Is notified when the stores have carried out a decision. Called on the thread that ticks, without
 * a lock; must not throw.
 */
@FunctionalInterface
public interface MoveListener {
  /**
   * All moves of a decision are complete.
   *
   * @param bytes growth of all shares together, above 0
   * @param nanos since the decision
   */
  void moved(long bytes, long nanos);
}
