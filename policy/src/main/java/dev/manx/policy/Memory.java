/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy;

/**
 * Passes the numbers that a policy decides by and that are neither in the request nor in the view:
 * means, counters, scores. A recorded decision stores them here, and a replayed decision reads them
 * from here, so that both use the same numbers. Confined to the request's thread.
 */
@FunctionalInterface
public interface Memory {
  /**
   * Passes a number that the policy is about to use.
   *
   * @param own the policy's own number
   * @return the number to decide by
   */
  long recalled(long own);
}
