/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy;

/**
 * Where the numbers pass that a policy decides by and that stand neither in the request nor in the
 * view: means, counters, scores. A decision that is recorded leaves them here, a decision that is
 * replayed gets them from here, so that both decide by the same. Confined to the request's thread.
 */
@FunctionalInterface
public interface Memory {
  /**
   * Takes a number that the policy is about to use.
   *
   * @param own the policy's own
   * @return what to decide by
   */
  long recalled(long own);
}
