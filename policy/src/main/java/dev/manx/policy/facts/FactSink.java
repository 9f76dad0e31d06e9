/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

/** Stores facts of nodes. */
@FunctionalInterface
public interface FactSink {
  /**
   * Stores a fact's number.
   *
   * @param atNanos when the node reported it, on the receiver's clock
   */
  void apply(FactColumn column, int node, long value, long atNanos);
}
